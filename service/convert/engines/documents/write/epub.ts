import type { Book } from '../../books/book/model.ts'
import { nestByLevel } from '../../books/book/nest.ts'
import { authoredBook, type Chapter, type ContentsEntry } from '../../books/epub/write/author.ts'
import { writeEpub } from '../../books/epub/write/write.ts'
import { canonicalLanguage } from '../../common/language/tag.ts'
import { escapeXml } from '../../common/xml/characters.ts'
import type { Given, PictureFile } from '../format.ts'
import { type Block, blocksOf, type Document, inlineOf, type PictureUse, plainText } from '../model.ts'
import { anchorsOf } from './anchors.ts'
import { type HtmlTarget, htmlOf } from './html/blocks.ts'
import { numbersOf } from './notes.ts'

/** Maximum number of blocks per file, so that long books open quickly. */
const MAX_BLOCKS = 400
/** Levels of the table of contents below the chapter level. */
const CONTENTS_LEVELS = 2

/** Points per CSS pixel. */
const POINTS_PER_PIXEL = 0.75

const STYLE = `body { line-height: 1.5; }
table { border-collapse: collapse; }
td, th { border: 1px solid #888; padding: 0.2em 0.5em; vertical-align: top; }
img { max-width: 100%; }
pre { white-space: pre-wrap; font-size: 0.9em; }
.center { text-align: center; }
.right { text-align: right; }
.smallcaps { font-variant: small-caps; }
.cover { text-align: center; }
.cover img { max-height: 100%; }
.subtitle { font-size: 1.2em; font-style: italic; }
.caption { font-size: 0.9em; font-style: italic; }
aside { font-size: 0.9em; }
`

interface Part {
  title: string
  blocks: Block[]
}

/** An entry of the table of contents, and the block to which it leads. */
interface Entry extends ContentsEntry {
  level: number
  block: Block
  children: Entry[]
}

/** Writes a document as an EPUB, with a chapter for each heading of the highest level. */
export const writeBook = (document: Document, given: BookOptions): Promise<Uint8Array> =>
  writeEpub(bookOf(document, given), given.date)

interface BookOptions extends Pick<Given, 'fileName' | 'date' | 'file'> {
  cover?: PictureFile | undefined
}

/** @param isWhole whether all of it stands in one chapter, or in one for each of its sections */
export function bookOf(
  document: Document,
  { fileName, file: fileOf, cover }: Pick<BookOptions, 'fileName' | 'file' | 'cover'>,
  isWhole = false,
): Book {
  const title = document.title || firstHeading(document.blocks) || fileName
  const language = canonicalLanguage(document.language)
  const entries = entriesOf(document)
  const level = chapterLevel(entries)
  const parts = isWhole
    ? (document.sections ?? [document]).map(({ blocks }) => ({ title, blocks }))
    : partsOf(document.blocks, entries, level, title)
  const anchors = anchorsOf(document, isWhole ? [] : document.contents?.map(({ anchor }) => anchor))

  const headingIds = new Map<Block, string>(anchors.all.map((heading, index) => [heading, `h${index + 1}`]))
  const marked = new Map(
    [...anchors.wanted]
      .filter(anchor => !anchors.headings.has(anchor))
      .map((anchor, index) => [anchor, `a${index + 1}`]),
  )
  const numbers = numbersOf(document.notes)
  /** The chapter of each id, complete once all chapters are written. */
  const places = new Map<string, string>()
  const used = new Map(cover ? [[cover.name, cover]] : [])
  const idOf = (anchor: string) => {
    const heading = anchors.headings.get(anchor)
    return heading ? headingIds.get(heading) : marked.get(anchor)
  }
  let isInNotes = false

  const written = parts.map(({ title: chapterTitle, blocks }, index) => {
    const file = `chapter${index + 1}`
    const keys: string[] = []
    const target: HtmlTarget = {
      picture: use => {
        const { description, width, height } = use
        const picture = fileOf(use)
        if (!picture) return isWhole ? nameOf(use) : ''
        used.set(picture.name, picture)
        const pixels = (points: number) => Math.round(points / POINTS_PER_PIXEL)
        // A drawn picture has more pixels than its display width, and pages of print may stretch one.
        const tall = document.sections ? ` height="${pixels(height)}"` : ''
        const size = picture.isDrawn && width > 0 ? ` width="${pixels(width)}"${tall}` : ''
        return `<img src="${picture.name}" alt="${escapeXml(description)}"${size}/>`
      },
      note: key => {
        const number = numbers.get(key)
        if (!number) return ''
        const isFirst = !places.has(`n${number}`) && !keys.includes(key)
        if (isFirst) {
          keys.push(key)
          places.set(`n${number}`, file)
        }
        // Word numbers its notes itself, and a note stands at its first mark; notes in notes are text there.
        if (isWhole && !isFirst) return `<sup>${number}</sup>`
        const type = isWhole && isInNotes ? '' : 'epub:type="noteref" '
        return `<a ${type}role="doc-noteref" href="{n${number}}"${isFirst ? ` id="r${number}"` : ''}>[${number}]</a>`
      },
      reference: anchor => {
        const id = idOf(anchor)
        return id && `{${id}}`
      },
      anchor: anchor => {
        const id = marked.get(anchor)
        if (!id || places.has(id)) return undefined
        places.set(id, file)
        return id
      },
      headingId: heading => {
        const id = headingIds.get(heading)
        if (id) places.set(id, file)
        return id
      },
      equation: (_, mathml) => mathml,
      rightToLeft: document.rightToLeft,
      // A book holds all its files, but Word follows links to files beside it.
      linksFiles: isWhole,
    }
    let body = htmlOf(blocks, target)
    // Notes may refer to further notes.
    const direct = keys.length
    isInNotes = true
    for (let at = 0; at < keys.length; at++) {
      const number = numbers.get(keys[at]!)
      const note = htmlOf(document.notes.get(keys[at]!) ?? [], target)
      const back = `<p><a role="doc-backlink" href="#r${number}">[${number}]</a></p>\n`
      body += isWhole
        ? `\n<div${at < direct ? ' epub:type="footnote"' : ''} id="n${number}">${at < direct ? '' : back}${note}</div>`
        : `\n<aside epub:type="footnote" role="doc-footnote" id="n${number}">${back}${note}</aside>`
    }
    isInNotes = false
    // Notes to which nothing refers stand at the end.
    if (index === parts.length - 1)
      for (const [key, note] of document.notes)
        if (!places.has(`n${numbers.get(key)}`)) body += `\n${htmlOf(note, target)}`
    return { name: file, title: chapterTitle, body }
  })
  const chapters: Chapter[] = written.map(chapter => ({
    ...chapter,
    body: resolved(chapter.body, chapter.name, places),
  }))
  if (cover) {
    const picture = `<img src="${cover.name}" alt="${escapeXml(title)}"/>`
    chapters.unshift({ name: 'cover', title, body: `<p class="cover" epub:type="cover">${picture}</p>` })
  }
  const addressOf = (id: string | undefined) => id && `${places.get(id) ?? 'chapter1'}.xhtml#${id}`
  const contents = entries.flatMap((entry): Entry[] => {
    const address = addressOf(headingIds.get(entry.block) ?? idOf(entry.address))
    const isListed = entry.address !== '' || entry.level <= level + CONTENTS_LEVELS
    return address && isListed ? [{ ...entry, address }] : []
  })
  return authoredBook({
    title,
    authors: document.authors,
    subjects: document.keywords ?? [],
    published: /^\d{4}-\d\d-\d\d/.exec(document.date ?? '')?.[0],
    language,
    rightToLeft: document.rightToLeft,
    description: document.description,
    identity: JSON.stringify([title, document.authors, written.map(({ body }) => body)]),
    style: STYLE,
    chapters,
    contents:
      contents.length > 0
        ? nestByLevel(contents)
        : [{ title: parts[0]?.title ?? '', address: 'chapter1.xhtml' }],
    pictures: [...used.values()],
    cover: cover?.name,
  })
}

/** A picture that is not in the file, as a link to where it is. */
function nameOf({ source, description }: PictureUse): string {
  const address = 'address' in source ? source.address : ''
  const name = description || address
  if (name === '') return ''
  const text = `[${escapeXml(name)}]`
  return /^https?:/i.test(address) ? `<a href="${escapeXml(address)}">${text}</a>` : text
}

/** Replaces the marks of ids by their addresses; a link to a missing target loses its address. */
function resolved(body: string, file: string, places: ReadonlyMap<string, string>): string {
  return body.replace(/ href="\{(\w+)\}"/g, (_, id: string) => {
    const place = places.get(id)
    if (!place) return ''
    return ` href="${place === file ? '' : `${place}.xhtml`}#${id}"`
  })
}

const firstHeading = (blocks: readonly Block[]) => {
  const heading = blocks.find(block => block.kind === 'heading')
  return heading?.kind === 'heading' ? plainText(heading.content).trim() : ''
}

/** What its own table of contents lists, or its headings. */
function entriesOf({ blocks, contents = [] }: Document): Entry[] {
  const places = new Map(
    blocks.flatMap(block =>
      [...blocksOf({ blocks: [block], notes: new Map() })].flatMap(inner =>
        [...inlineOf(inner)].flatMap(part => (part.kind === 'anchor' ? [[part.name, block] as const] : [])),
      ),
    ),
  )
  const own = contents.flatMap(({ anchor, ...entry }): Entry[] => {
    const block = places.get(anchor)
    return block ? [{ ...entry, address: anchor, block, children: [] }] : []
  })
  if (own.length > 0) return own
  return blocks.flatMap(block => {
    const title = block.kind === 'heading' ? plainText(block.content).replace(/\s+/g, ' ').trim() : ''
    return block.kind === 'heading' && title !== ''
      ? [{ title, level: block.level, address: '', block, children: [] }]
      : []
  })
}

/** The highest level with several entries, or the highest level of all; 0 without any. */
function chapterLevel(entries: readonly Entry[]): number {
  const levels = entries.map(entry => entry.level)
  const counts = [1, 2, 3].filter(level => levels.filter(other => other === level).length > 1)
  return counts[0] ?? Math.min(...levels, 7) % 7
}

function partsOf(blocks: readonly Block[], entries: readonly Entry[], level: number, title: string): Part[] {
  const parts: Part[] = []
  const listed = new Map(entries.toReversed().map(entry => [entry.block, entry]))
  for (const block of blocks) {
    const entry = listed.get(block)
    const last = parts.at(-1)
    // A heading directly below another one, such as the title, stays in the same chapter.
    const isUnderHeading = last?.blocks.every(other => other.kind === 'heading') ?? false
    if (!last || (entry && entry.level <= level && !isUnderHeading))
      parts.push({ title: entry?.title ?? title, blocks: [block] })
    else if (last.blocks.length >= MAX_BLOCKS) parts.push({ title: last.title, blocks: [block] })
    else last.blocks.push(block)
  }
  return parts.length > 0 ? parts : [{ title, blocks: [] }]
}
