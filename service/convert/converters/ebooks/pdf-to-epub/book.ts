/** Writes a document read from a PDF as an EPUB book. */

import {
  authoredBook,
  type BookPicture,
  type ContentsEntry,
} from '../../../engines/books/epub/write/author.ts'
import { writeEpub } from '../../../engines/books/epub/write/write.ts'
import { escapeXml } from '../../../engines/common/xml/characters.ts'
import { authorsOf, languageOf, subjectsOf, titleOf } from '../../documents/pdf/layout/metadata.ts'
import type { Block, PagePicture, TextDocument } from '../../documents/pdf/layout/model.ts'
import { entriesOf, firstsOfPages, flattened, partsOf, type TocEntry } from './contents.ts'
import { blockHtml, inlineHtml, type Surroundings } from './xhtml.ts'

const STYLE = `body { line-height: 1.5; }
h1, h2, h3, h4, h5, h6 { line-height: 1.2; page-break-after: avoid; }
table { border-collapse: collapse; margin: 1em 0; }
td, th { border: 1px solid #888; padding: 0.2em 0.5em; vertical-align: top; }
img { max-width: 100%; }
pre { white-space: pre-wrap; font-size: 0.9em; }
.picture, .cover { text-align: center; text-indent: 0; }
.cover img { max-height: 100%; }
sup, sub { line-height: 1; }
aside { font-size: 0.9em; }
`

interface BookOptions {
  /** Used if the document has no title. */
  fileName: string
  /** Date of the conversion. */
  date: Date
  cover: PagePicture | undefined
}

/** @throws nothing for a document made by `readPdf` */
export function writeBook(
  document: TextDocument,
  { fileName, date, cover }: BookOptions,
): Promise<Uint8Array> {
  const { blocks, rightToLeft } = document
  const title = titleOf(document, fileName)
  const entries = entriesOf(document)
  const parts = partsOf(blocks, entries, title)
  const fileOf = (block: number) => `chapter${parts.findLastIndex(({ from }) => from <= block) + 1}`
  const firsts = firstsOfPages(blocks)
  const notes = new NoteNumbers(document)
  const wanted = new Set(flattened(entries).map(entry => entry.block))
  for (const page of linkedPages(document)) wanted.add(firsts(page) ?? -1)

  const chapters = parts.map((part, index) => {
    const name = `chapter${index + 1}`
    const around: Surroundings = {
      rightToLeft,
      note: key => notes.reference(key, name),
      pageAddress: page => {
        const block = firsts(page)
        if (block === undefined) return undefined
        const file = fileOf(block)
        return `${file === name ? '' : `${file}.xhtml`}#b${block}`
      },
      picture: picture => pictureName(picture, document.pictures[picture]!),
    }
    const html = blocks
      .slice(part.from, part.to)
      .map((block, at) =>
        blockHtml(block, around, wanted.has(part.from + at) ? `b${part.from + at}` : undefined),
      )
    const isLast = index === parts.length - 1
    return { name, title: part.title, body: [...html, ...notes.texts(name, isLast, around)].join('\n') }
  })

  const pictures: BookPicture[] = document.pictures.map((picture, index) => ({
    name: pictureName(index, picture),
    mime: mimeOf(picture),
    bytes: picture.data,
  }))
  const known = cover ? document.pictures.indexOf(cover) : -1
  const coverName = cover && (known < 0 ? `cover.${cover.type}` : pictureName(known, cover))
  if (cover && coverName && known < 0)
    pictures.push({ name: coverName, mime: mimeOf(cover), bytes: cover.data })
  const coverPage = {
    name: 'cover',
    title,
    body: `<p class="cover" epub:type="cover"><img src="${coverName}" alt="${escapeXml(title)}"/></p>`,
  }
  const contents = entries.map(entry => contentsEntry(entry, fileOf))
  const book = authoredBook({
    title,
    authors: authorsOf(document.author),
    language: languageOf(document),
    rightToLeft,
    description: document.subject || undefined,
    subjects: subjectsOf(document.keywords),
    created: document.created,
    identity: JSON.stringify([title, document.author, chapters.map(({ body }) => body)]),
    style: STYLE,
    chapters: cover ? [coverPage, ...chapters] : chapters,
    contents: contents.length > 0 ? contents : [{ title, address: `${chapters[0]!.name}.xhtml` }],
    pictures,
    cover: coverName,
  })
  return writeEpub(book, date)
}

const pictureName = (index: number, { type }: PagePicture) => `picture${index + 1}.${type}`
const mimeOf = ({ type }: PagePicture) => (type === 'jpg' ? 'image/jpeg' : 'image/png')

const contentsEntry = (
  { title, block, children }: TocEntry,
  fileOf: (block: number) => string,
): ContentsEntry => ({
  title,
  address: `${fileOf(block)}.xhtml#b${block}`,
  children: children.map(child => contentsEntry(child, fileOf)),
})

/** Pages that are link targets. */
function linkedPages({ blocks, footnotes }: TextDocument): Set<number> {
  const pages = new Set<number>()
  const visit = (block: Block): void => {
    if (block.kind === 'heading' || block.kind === 'paragraph') add(block.content)
    else if (block.kind === 'table') for (const cell of block.rows.flat()) add(cell?.content ?? [])
    else if (block.kind === 'list')
      for (const item of block.items) {
        add(item.content)
        item.blocks.forEach(visit)
      }
  }
  const add = (content: readonly { leadsTo?: number }[]) => {
    for (const { leadsTo } of content) if (leadsTo !== undefined) pages.add(leadsTo)
  }
  blocks.forEach(visit)
  for (const content of footnotes.values()) add(content)
  return pages
}

/** Footnotes, each in the chapter of its first reference. */
class NoteNumbers {
  readonly #document: TextDocument
  readonly #numbers: Map<string, number>
  /** Chapter of each note that is referred to. */
  readonly #places = new Map<string, string>()

  constructor(document: TextDocument) {
    this.#document = document
    this.#numbers = new Map([...document.footnotes.keys()].map((key, index) => [key, index + 1]))
  }

  /** Attributes of a reference. */
  reference(key: string, chapter: string): string | undefined {
    const number = this.#numbers.get(key)
    if (number === undefined) return undefined
    const place = this.#places.get(key)
    if (place === undefined) this.#places.set(key, chapter)
    const file = place === undefined || place === chapter ? '' : `${place}.xhtml`
    const id = place === undefined ? ` id="r${number}"` : ''
    return `epub:type="noteref" role="doc-noteref" href="${file}#n${number}"${id}`
  }

  /** Notes of a chapter; the last chapter also gets the notes without a reference. */
  texts(chapter: string, isLast: boolean, around: Surroundings): string[] {
    return [...this.#document.footnotes].flatMap(([key, content]) => {
      const place = this.#places.get(key)
      const number = this.#numbers.get(key)!
      if (place === undefined && isLast) return [`<p>${inlineHtml(content, around)}</p>`]
      if (place !== chapter) return []
      const back = `<a role="doc-backlink" href="#r${number}">${number}</a>`
      return [
        `<aside epub:type="footnote" role="doc-footnote" id="n${number}"><p>${back} ${inlineHtml(content, around)}</p></aside>`,
      ]
    })
  }
}
