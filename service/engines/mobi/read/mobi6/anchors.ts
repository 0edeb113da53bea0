/**
 * Links of Mobipocket lead to bytes of the text. What begins at such a byte gets an id; only where text stands there, an
 * anchor is put before it.
 */

/** Elements that can carry an id through to the result. */
const CARRIES_ID =
  /^<(?:a|abbr|b|big|blockquote|br|center|cite|code|dd|div|dl|dt|em|font|h[1-6]|hr|i|img|li|ol|p|pre|s|small|span|strike|strong|sub|sup|table|td|th|tr|tt|u|ul)(?=[\s/>])/i
/** Longest tag that is looked for around a byte. */
const TAG_BYTES = 4096
/** What may stand between the byte and what it means: white space, ends of elements, page breaks. */
const BETWEEN = /(?:\s|&nbsp;)+/y

const FILEPOS = /\bfilepos\s*=\s*["']?\s*(\d{1,10})/gi

export interface Insertion {
  at: number
  text: string
}

export interface Anchors {
  /** In order. */
  insertions: Insertion[]
  /** Where the anchor of a byte stands, and its id; the id is empty where nothing follows the byte. */
  byPosition: ReadonlyMap<number, { at: number; id: string }>
}

/**
 * @param source the text, one character for each byte
 * @param body where its body begins and ends
 * @param others bytes that indexes lead to
 */
export function findAnchors(
  source: string,
  body: { start: number; end: number },
  others: readonly number[],
): Anchors {
  const positions = new Set(others)
  for (const [, digits] of source.matchAll(FILEPOS)) positions.add(Number(digits))
  const byPosition = new Map<number, { at: number; id: string }>()
  const byPlace = new Map<number, string>()
  const insertions: Insertion[] = []
  let next = { from: -1, at: -1 }
  for (const position of [...positions].sort((first, second) => first - second)) {
    if (position >= source.length) continue
    const from = Math.max(body.start, tagStart(source, position))
    // Bytes that lie close to each other mean the same element.
    const at = from >= next.from && from <= next.at ? next.at : meantBy(source, from, body.end)
    next = { from, at }
    if (at >= body.end) {
      byPosition.set(position, { at: body.end - 1, id: '' })
      continue
    }
    let id = byPlace.get(at)
    if (id === undefined) {
      const own = ownId(source, at)
      id = own ?? `at-${position}`
      if (own === undefined) insertions.push(anchor(source, at, id))
      byPlace.set(at, id)
    }
    byPosition.set(position, { at, id })
  }
  return { insertions, byPosition }
}

/** Where the tag begins that the byte is in; the byte itself, if it is in none. */
function tagStart(source: string, position: number): number {
  const from = Math.max(0, position - TAG_BYTES)
  const before = source.slice(from, position)
  const open = before.lastIndexOf('<')
  return open > before.lastIndexOf('>') ? from + open : position
}

/** The first place from there on that can be linked to: an element that carries an id, or text. */
function meantBy(source: string, from: number, end: number): number {
  let at = from
  while (at < end) {
    BETWEEN.lastIndex = at
    if (BETWEEN.test(source)) at = BETWEEN.lastIndex
    if (source[at] !== '<') return Math.min(at, end)
    const head = source.slice(at, at + 16)
    if (CARRIES_ID.test(head)) return at
    const close = source.indexOf('>', at)
    // A sign that begins no tag is text.
    if (close < 0 || !/^<[A-Za-z/!?]/.test(head)) return at
    at = close + 1
  }
  return end
}

function ownId(source: string, at: number): string | undefined {
  if (source[at] !== '<') return undefined
  const tag = source.slice(at, source.indexOf('>', at) + 1)
  const [, double, single, plain] = /\sid\s*=\s*(?:"([^"\s]+)"|'([^'\s]+)'|([^\s"'>]+))/i.exec(tag) ?? []
  const id = double ?? single ?? plain
  // Others than ASCII would have to be decoded.
  return id && /^[\x21-\x7e]+$/.test(id) ? id : undefined
}

function anchor(source: string, at: number, id: string): Insertion {
  const [tag] = CARRIES_ID.exec(source.slice(at, at + 16)) ?? []
  return tag ? { at: at + tag.length, text: ` id="${id}"` } : { at, text: `<a id="${id}"></a>` }
}
