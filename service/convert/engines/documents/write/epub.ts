import type { Book } from '../../books/book/model.ts'
import { nestByLevel } from '../../books/book/nest.ts'
import { authoredBook, type Chapter, type ContentsEntry } from '../../books/epub/write/author.ts'
import { writeEpub } from '../../books/epub/write/write.ts'
import { canonicalLanguage } from '../../common/language/tag.ts'
import { escapeXml } from '../../common/xml/characters.ts'
import type { Given, PictureFile } from '../format.ts'
import { type Block, type Document, type PictureUse, plainText } from '../model.ts'
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
.subtitle { font-size: 1.2em; font-style: italic; }
.caption { font-size: 0.9em; font-style: italic; }
aside { font-size: 0.9em; }
`

interface Part {
  title: string
  blocks: Block[]
}

/** Writes a document as an EPUB, with a chapter for each heading of the highest level. */
export const writeBook = (document: Document, given: BookOptions): Promise<Uint8Array> =>
  writeEpub(bookOf(document, given), given.date)

type BookOptions = Pick<Given, 'fileName' | 'date' | 'file'>

/** @param isWhole whether all of it stands in one chapter */
export function bookOf(
  document: Document,
  { fileName, file: fileOf }: Pick<BookOptions, 'fileName' | 'file'>,
  isWhole = false,
): Book {
  const title = document.title || firstHeading(document.blocks) || fileName
  const language = canonicalLanguage(document.language)
  const level = chapterLevel(document.blocks)
  const parts = isWhole ? [{ title, blocks: document.blocks }] : partsOf(document.blocks, level, title)
  const anchors = anchorsOf(document)

  const headingIds = new Map<Block, string>(anchors.all.map((heading, index) => [heading, `h${index + 1}`]))
  const marked = new Map(
    [...anchors.wanted]
      .filter(anchor => !anchors.headings.has(anchor))
      .map((anchor, index) => [anchor, `a${index + 1}`]),
  )
  const numbers = numbersOf(document.notes)
  /** The chapter of each id, complete once all chapters are written. */
  const places = new Map<string, string>()
  const used = new Map<string, PictureFile>()
  let isInNotes = false

  const written = parts.map(({ title: chapterTitle, blocks }, index) => {
    const file = `chapter${index + 1}`
    const keys: string[] = []
    const target: HtmlTarget = {
      picture: use => {
        const { description, width } = use
        const picture = fileOf(use)
        if (!picture) return isWhole ? nameOf(use) : ''
        used.set(picture.name, picture)
        // A drawn picture has more pixels than its display width.
        const size = picture.isDrawn && width > 0 ? ` width="${Math.round(width / POINTS_PER_PIXEL)}"` : ''
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
        return `<a ${type}href="{n${number}}"${isFirst ? ` id="r${number}"` : ''}>[${number}]</a>`
      },
      reference: anchor => {
        const heading = anchors.headings.get(anchor)
        const id = heading ? headingIds.get(heading) : marked.get(anchor)
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
    }
    let body = htmlOf(blocks, target)
    // Notes may refer to further notes.
    const direct = keys.length
    isInNotes = true
    for (let at = 0; at < keys.length; at++) {
      const number = numbers.get(keys[at]!)
      const note = htmlOf(document.notes.get(keys[at]!) ?? [], target)
      const back = `<p><a href="#r${number}">[${number}]</a></p>\n`
      body += isWhole
        ? `\n<div${at < direct ? ' epub:type="footnote"' : ''} id="n${number}">${at < direct ? '' : back}${note}</div>`
        : `\n<aside epub:type="footnote" id="n${number}">${back}${note}</aside>`
    }
    isInNotes = false
    return { name: file, title: chapterTitle, body }
  })
  const chapters: Chapter[] = written.map(chapter => ({
    ...chapter,
    body: resolved(chapter.body, chapter.name, places),
  }))
  return authoredBook({
    title,
    authors: document.authors,
    language,
    rightToLeft: document.rightToLeft,
    description: document.description,
    identity: JSON.stringify([title, document.authors, written.map(({ body }) => body)]),
    style: STYLE,
    chapters,
    contents: contentsOf(parts, level, headingIds),
    pictures: [...used.values()],
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
  return body
    .replace(/ href="\{(\w+)\}"/g, (_, id: string) => {
      const place = places.get(id)
      if (!place) return ''
      return ` href="${place === file ? '' : `${place}.xhtml`}#${id}"`
    })
    .replace(/<a epub:type="noteref"(?: id="\w+")?>(\[\d+\])<\/a>/g, '$1')
}

const firstHeading = (blocks: readonly Block[]) => {
  const heading = blocks.find(block => block.kind === 'heading')
  return heading?.kind === 'heading' ? plainText(heading.content).trim() : ''
}

/** The highest level with several headings, or the highest level of all; 0 without any. */
function chapterLevel(blocks: readonly Block[]): number {
  const levels = blocks.flatMap(block => (block.kind === 'heading' ? [block.level] : []))
  const counts = [1, 2, 3].filter(level => levels.filter(other => other === level).length > 1)
  return counts[0] ?? Math.min(...levels, 7) % 7
}

function partsOf(blocks: readonly Block[], level: number, title: string): Part[] {
  const parts: Part[] = []
  for (const block of blocks) {
    const isStart = block.kind === 'heading' && block.level <= level
    const last = parts.at(-1)
    // A heading directly below another one, such as the title, stays in the same chapter.
    const isUnderHeading = last?.blocks.every(other => other.kind === 'heading') ?? false
    if (!last || (isStart && !isUnderHeading)) {
      const own = block.kind === 'heading' ? plainText(block.content).trim() : ''
      parts.push({ title: own || title, blocks: [block] })
    } else if (last.blocks.length >= MAX_BLOCKS) parts.push({ title: last.title, blocks: [block] })
    else last.blocks.push(block)
  }
  return parts.length > 0 ? parts : [{ title, blocks: [] }]
}

interface Entry extends ContentsEntry {
  level: number
  children: Entry[]
}

function contentsOf(parts: readonly Part[], level: number, ids: ReadonlyMap<Block, string>): ContentsEntry[] {
  const entries = parts.flatMap((part, index) =>
    part.blocks.flatMap((block): Entry[] => {
      if (block.kind !== 'heading' || block.level > level + CONTENTS_LEVELS) return []
      const title = plainText(block.content).replace(/\s+/g, ' ').trim()
      const address = `chapter${index + 1}.xhtml#${ids.get(block) ?? ''}`
      return title === '' ? [] : [{ title, address, level: block.level, children: [] }]
    }),
  )
  const top = nestByLevel(entries)
  return top.length > 0 ? top : [{ title: parts[0]?.title ?? '', address: 'chapter1.xhtml' }]
}
