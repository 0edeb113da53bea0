/** Reads a PDF file as a document with structure. */
import { openPdf } from '../../../../engines/pdf-content/document.ts'
import type { PdfPage } from '../../../../engines/pdf-content/page.ts'
import type { PageContent, PdfLink, TextItem } from '../../../../engines/pdf-content/types.ts'
import { JobFailure } from '../../../../errors.ts'
import { message } from '../../../../messages/message.ts'
import { alignedTables } from './aligned-tables.ts'
import { assemble } from './assemble.ts'
import { regionsOf } from './columns.ts'
import { type Vocabulary, vocabularyOf } from './content.ts'
import type { Draft, PageDraft, PictureDraft, TableDraft, TextDraft } from './drafts.ts'
import { takeFootnotes } from './footnotes.ts'
import { withoutFurniture } from './furniture.ts'
import { gridsOf } from './grid.ts'
import { type BodyLook, headingLevels } from './headings.ts'
import { dominant, type Line, linesOf, type Word } from './lines.ts'
import type { Block, TextDocument } from './model.ts'
import { groupLines } from './paragraphs.ts'
import { fillsPage, PictureStore, type PlacedPicture, picturesOf } from './pictures.ts'
import { isInside, ruledTables } from './ruled-tables.ts'
import { isRightToLeft } from './script.ts'
import { type Tags, taggedTables, tagsOf } from './tags.ts'

export interface ReadOptions {
  password?: string | undefined
  /** Most pages that are read. */
  pageLimit: number
  progress: (fraction: number) => void
}

/** A document, and what of the file is not in it, as numbers of pages from 1. */
export interface ReadResult {
  document: TextDocument
  damaged: number[]
  /** Pages that are pictures without text. */
  scanned: number[]
  /** Pages with text whose letters the file does not name. */
  unreadable: number[]
  lostPictures: number
}

interface SourcePage {
  content: PageContent
  tags: Tags
  words: Word[]
  pictures: PlacedPicture[]
}

/**
 * Reads the text of a PDF file in the order it is meant to be read.
 * @throws JobFailure encrypted_input, corrupt_input, too_many_pages, engine_missing
 */
export async function readPdf(
  path: string,
  { password, pageLimit, progress }: ReadOptions,
): Promise<ReadResult> {
  using pdf = openPdf(path, password)
  if (pdf.pageCount > pageLimit)
    throw new JobFailure(
      'jobs.too_many_pages',
      message('input.too_many_pages', { count: pdf.pageCount, limit: pageLimit }),
    )
  const store = new PictureStore()
  const pages: SourcePage[] = []
  const [damaged, scanned, unreadable]: [number[], number[], number[]] = [[], [], []]
  for (let index = 0; index < pdf.pageCount; index++) {
    progress((index / pdf.pageCount) * 0.8)
    using page = pdf.page(index)
    if (!page) {
      damaged.push(index + 1)
      continue
    }
    pages.push(await sourcePage(page, store))
    const { content } = page
    if (content.text.length === 0 && content.images.some(image => fillsPage(image, content)))
      scanned.push(index + 1)
    const letters = content.text.reduce((sum, { text }) => sum + text.length, 0)
    if (content.unmapped > 20 && content.unmapped > letters * 0.1) unreadable.push(index + 1)
  }
  if (pages.length === 0) throw new JobFailure('jobs.corrupt_input', message('pdf.no_readable_page'))
  const { blocks, footnotes } = blocksOf(pages, pdf.outline)
  const { title, author, language } = pdf.properties
  const text = pages.slice(0, 20).flatMap(({ words }) => words.map(word => word.text))
  return {
    document: {
      title,
      author,
      language,
      rightToLeft: isRightToLeft(text.join(' ')),
      blocks,
      footnotes,
      pictures: await store.finished(),
      pageCount: pdf.pageCount,
      pageWidth: pages[0]!.content.width,
      pageHeight: pages[0]!.content.height,
    },
    damaged,
    scanned,
    unreadable,
    lostPictures: store.lost,
  }
}

async function sourcePage(page: PdfPage, store: PictureStore): Promise<SourcePage> {
  const { content } = page
  const { rulings, boxes, width, height } = content
  const grids = gridsOf(rulings, boxes, { x: 0, y: 0, width, height })
  const tables = grids.filter(grid => grid.cells.length > 3)
  return {
    content,
    tags: tagsOf(content.structure),
    words: wordsOf(content.text, content),
    pictures: await picturesOf(page, store, tables),
  }
}

/** Words that are text of the page, with the links over them. */
function wordsOf(items: readonly TextItem[], { width, height, links }: PageContent): Word[] {
  const outward = links.filter(link => link.url !== undefined)
  return items.flatMap((item, order) => {
    const onPage = item.x < width && item.x + item.width > 0 && item.baseline > 0 && item.y < height
    // Dots that lead to page numbers tell that a line is one of a table of contents.
    if ((item.artefact && !/^[.·]+$/.test(item.text)) || !onPage) return []
    const link = outward.length > 0 ? linkOf(item, outward) : undefined
    return [{ ...item, order, ...(link && { link }) }]
  })
}

const linkOf = (item: TextItem, links: readonly PdfLink[]) =>
  links.find(({ areas }) => areas.some(area => isInside(item, area, 1)))?.url

function blocksOf(
  pages: readonly SourcePage[],
  outline: Parameters<typeof headingLevels>[2],
): { blocks: Block[]; footnotes: TextDocument['footnotes'] } {
  const texts = withoutFurniture(
    pages.map(({ content, words }) => ({ index: content.index, height: content.height, words })),
  )
  const all = [...texts.values()].flat()
  const vocabulary = vocabularyOf(all)
  const body = bodyLook(all)
  const drafts = pages.map(page =>
    layOut(page, texts.get(page.content.index) ?? [], vocabulary, body.monospace),
  )
  const notes = takeFootnotes(drafts, body.size, vocabulary)
  const textDrafts = drafts
    .flatMap(({ regions }) => regions.flat())
    .filter((draft): draft is TextDraft => draft.kind === 'text')
  const tags = new Map(pages.map(page => [page.content.index, page.tags.levels]))
  const levels = headingLevels(textDrafts, body, outline, tags)
  return { blocks: assemble(drafts, { levels, notes, vocabulary }), footnotes: notes.texts }
}

function bodyLook(words: readonly Word[]): BodyLook & { monospace: boolean } {
  const by = <Key>(key: (word: Word) => Key) =>
    dominant(words.map(word => [key(word), word.text.length] as const))
  return {
    size: by(word => Math.round(word.size * 2) / 2) ?? 10,
    font: by(word => word.font.name) ?? '',
    bold: by(word => word.font.bold) ?? false,
    monospace: by(word => word.font.monospace) ?? false,
  }
}

/** Blocks of a page in reading order. */
function layOut(page: SourcePage, words: Word[], vocabulary: Vocabulary, monospace: boolean): PageDraft {
  const { content } = page
  // A document typed throughout on a typewriter has no code in it.
  const own = monospace ? words.map(word => ({ ...word, font: { ...word.font, monospace: false } })) : words
  const tagged = taggedTables(page.tags.tables, own, vocabulary, content.index)
  const { tables, rest } = ruledTables(content, tagged.rest, vocabulary)
  const items: (TableDraft | PictureDraft)[] = [
    ...[...tagged.tables, ...tables].map(({ table, box }): TableDraft => ({ kind: 'table', table, box })),
    ...page.pictures.map(
      ({ picture, box, content: marked }): PictureDraft => ({
        kind: 'picture',
        picture: {
          kind: 'picture',
          picture,
          width: box.width,
          height: box.height,
          alternative: page.tags.alternatives.get(marked) ?? '',
          page: content.index,
        },
        box,
      }),
    ),
  ]
  const regions = regionsOf(rest, items).map(region =>
    draftsOf(region.lines, region.items, content, vocabulary),
  )
  // What stands across the page comes after it.
  for (const { text } of content.turned) {
    const lines = linesOf(text.filter(item => !item.artefact).map((item, order) => ({ ...item, order })))
    regions.push(draftsOf(lines, [], content, vocabulary))
  }
  return { index: content.index, width: content.width, height: content.height, regions }
}

function draftsOf(
  lines: Line[],
  items: readonly (TableDraft | PictureDraft)[],
  { rulings, index }: PageContent,
  vocabulary: Vocabulary,
): Draft[] {
  const drafts: { top: number; draft: Draft }[] = items.map(draft => ({
    top: draft.box.y + draft.box.height / 2,
    draft,
  }))
  const left = Math.min(...lines.map(line => line.x))
  const right = Math.max(...lines.map(line => line.right))
  const addText = (part: Line[]) => {
    for (const group of groupLines(part, left, right))
      drafts.push({ top: group.lines[0]!.baseline, draft: { ...group, kind: 'text', page: index } })
  }
  let from = 0
  for (const { table, box, from: first, to } of alignedTables(lines, rulings, vocabulary, index)) {
    addText(lines.slice(from, first))
    drafts.push({ top: lines[first]!.baseline, draft: { kind: 'table', table, box } })
    from = to
  }
  addText(lines.slice(from))
  return drafts.sort((one, other) => one.top - other.top).map(({ draft }) => draft)
}
