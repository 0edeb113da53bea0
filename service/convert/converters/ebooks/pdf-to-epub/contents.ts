/** Finds the targets of a document's table of contents, and where its chapters start. */

import { nestByLevel } from '../../../engines/books/book/nest.ts'
import { type Block, plainText, type TextDocument } from '../../documents/pdf/layout/model.ts'

/** An entry of the table of contents. */
export interface TocEntry {
  title: string
  /** Index of the block it leads to. */
  block: number
  level: number
  children: TocEntry[]
}

/** Number of heading levels that are listed, from the highest one. */
const HEADING_LEVELS = 3
/** Maximum number of blocks per file, so that long books open quickly. */
const CHAPTER_BLOCKS = 400

/** The outline of the file, or its headings if it has none. */
export function entriesOf({ blocks, outline }: TextDocument): TocEntry[] {
  const outlined = outline.length > 0 ? fromOutline(blocks, outline) : []
  return nestByLevel(outlined.length > 0 ? outlined : fromHeadings(blocks))
}

const normalised = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()

function fromOutline(blocks: readonly Block[], outline: TextDocument['outline']): TocEntry[] {
  const headings = new Map<string, number>()
  for (const [index, block] of blocks.entries()) {
    const text = block.kind === 'heading' || block.kind === 'paragraph' ? plainText(block.content) : ''
    const key = `${block.page} ${normalised(text)}`
    if (text !== '' && text.length < 400 && (block.kind === 'heading' || !headings.has(key)))
      headings.set(key, index)
  }
  const firsts = firstsOfPages(blocks)
  const entries: TocEntry[] = []
  for (const [index, { title, level, page }] of outline.entries()) {
    // An entry without a target leads to the target of the first entry within it.
    const within = outline.slice(index + 1).find(entry => entry.page >= 0 && entry.level > level)
    const target = page >= 0 ? page : within?.page
    if (target === undefined || title === '') continue
    const block = headings.get(`${target} ${normalised(title)}`) ?? firsts(target) ?? blocks.length - 1
    entries.push({ title, block, level, children: [] })
  }
  return entries
}

/** Finds the first block of a page, or of the next page that has one. */
export function firstsOfPages(blocks: readonly Block[]): (page: number) => number | undefined {
  const first = new Map<number, number>()
  for (const [index, { page }] of blocks.entries()) if (!first.has(page)) first.set(page, index)
  const pages = [...first.keys()].sort((one, other) => one - other)
  return page => first.get(pages.find(each => each >= page) ?? -1)
}

function fromHeadings(blocks: readonly Block[]): TocEntry[] {
  const entries = blocks.flatMap((block, index): TocEntry[] => {
    if (block.kind !== 'heading') return []
    const title = plainText(block.content).replace(/\s+/g, ' ').trim()
    return title === '' ? [] : [{ title, block: index, level: block.level, children: [] }]
  })
  const highest = chapterLevel(entries)
  return entries.filter(({ level }) => level < highest + HEADING_LEVELS)
}

export const flattened = (entries: readonly TocEntry[]): TocEntry[] =>
  entries.flatMap(entry => [entry, ...flattened(entry.children)])

/** The highest level with several entries, or the highest level of all. */
function chapterLevel(entries: readonly TocEntry[]): number {
  const levels = entries.map(entry => entry.level).sort((one, other) => one - other)
  return levels.find((level, index) => levels[index + 1] === level) ?? levels[0] ?? 1
}

export interface BookPart {
  title: string
  /** Index of its first block. */
  from: number
  to: number
}

/** Splits blocks into chapters, at the entries of the highest level that recurs and those above it. */
export function partsOf(blocks: readonly Block[], entries: readonly TocEntry[], title: string): BookPart[] {
  const all = flattened(entries)
  const level = chapterLevel(all)
  const starts = new Map(all.filter(entry => entry.level <= level).map(entry => [entry.block, entry.title]))
  const parts: BookPart[] = []
  for (const index of blocks.keys()) {
    const last = parts.at(-1)
    const start = starts.get(index)
    // A heading directly below another one, such as the title, stays in the same chapter.
    const isUnderHeading = last && blocks.slice(last.from, index).every(block => block.kind === 'heading')
    if (!last || (start !== undefined && !isUnderHeading))
      parts.push({ title: start ?? title, from: index, to: index + 1 })
    else if (index - last.from >= CHAPTER_BLOCKS)
      parts.push({ title: last.title, from: index, to: index + 1 })
    else last.to = index + 1
  }
  return parts
}
