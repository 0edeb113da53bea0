/** Splits the text of a Mobipocket book, which is a single file, into chapters. */

export interface Chapter {
  start: number
  end: number
  /** Tags left open by earlier chapters. */
  opening: string
}

const BREAK = /<\s*\/?\s*mbp:pagebreak\b[^>]*>/gi
/** Chapters longer than this, in bytes, are also split at targets of the table of contents. */
const LONG_CHAPTER = 300_000
const CHAPTER_LIMIT = 20_000
/** Elements that continue after a page break. */
const LASTING = /<(\/?)(div|blockquote|center|font|b|i|u|em|strong|big|small|span)(?=[\s/>])[^>]*>/gi
const OPEN_LIMIT = 30

/**
 * @param source the text, one character per byte
 * @param entries byte positions of the targets of the table of contents, in order
 */
export function cutChapters(
  source: string,
  body: { start: number; end: number },
  entries: readonly number[],
): Chapter[] {
  const pieces: { start: number; end: number }[] = []
  let start = body.start
  BREAK.lastIndex = start
  for (let found = BREAK.exec(source); found && found.index < body.end; found = BREAK.exec(source)) {
    pieces.push({ start, end: found.index })
    start = BREAK.lastIndex
    if (pieces.length >= CHAPTER_LIMIT) break
  }
  pieces.push({ start, end: body.end })
  const cut = pieces.flatMap(piece => cutLong(source, piece, entries))
  return withOpening(source, joinBlank(source, cut))
}

/** Splits a long piece at blocks that are targets of the table of contents. */
function cutLong(source: string, piece: { start: number; end: number }, entries: readonly number[]) {
  if (piece.end - piece.start <= LONG_CHAPTER) return [piece]
  const at = entries.filter(
    entry =>
      entry > piece.start &&
      entry < piece.end &&
      /^<(?:h[1-6]|p|div)[\s>]/i.test(source.slice(entry, entry + 4)),
  )
  return [piece.start, ...at].map((start, index) => ({ start, end: at[index] ?? piece.end }))
}

/** Joins pieces without visible content to the previous one, or to the next one at the beginning. */
function joinBlank(source: string, pieces: readonly { start: number; end: number }[]) {
  const joined: { start: number; end: number }[] = []
  let lead: number | undefined
  for (const { start, end } of pieces) {
    if (isBlank(source.slice(start, end))) {
      const before = joined.at(-1)
      if (before) before.end = end
      else lead ??= start
      continue
    }
    joined.push({ start: lead ?? start, end })
    lead = undefined
  }
  if (joined.length === 0) joined.push({ start: pieces[0]?.start ?? 0, end: pieces.at(-1)?.end ?? 0 })
  return joined
}

const isBlank = (text: string) =>
  !/<(?:img|hr|svg|audio|video)[\s/>]/i.test(text) && !/[^\s]/.test(text.replace(/<[^>]*>|&nbsp;/g, ''))

function withOpening(source: string, pieces: readonly { start: number; end: number }[]): Chapter[] {
  const open: { name: string; tag: string }[] = []
  return pieces.map(({ start, end }, index) => {
    const opening = open.map(({ tag }) => tag).join('')
    if (index < pieces.length - 1) follow(source.slice(start, end), open)
    return { start, end, opening }
  })
}

/** Updates the list of open elements to the end of a piece. */
function follow(text: string, open: { name: string; tag: string }[]): void {
  for (const [tag, slash, name = ''] of text.matchAll(LASTING)) {
    const lower = name.toLowerCase()
    if (slash) {
      const at = open.findLastIndex(each => each.name === lower)
      if (at >= 0) open.splice(at, 1)
    } else if (open.length < OPEN_LIMIT && !tag.endsWith('/>')) {
      // Space above and ids apply only where the element began.
      const again = tag.replace(/\s(?:id|height)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, '')
      open.push({ name: lower, tag: again })
    }
  }
}
