/** Reads a PDF file as a structured document. */

import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { Readers } from '../../../../engines/ocr/readers.ts'
import { openPdf } from '../../../../engines/pdf-content/document.ts'
import type { PdfPage } from '../../../../engines/pdf-content/page.ts'
import type {
  OutlineEntry,
  PageContent,
  PdfLink,
  Rectangle,
  TextItem,
} from '../../../../engines/pdf-content/types.ts'
import type { Pixels } from '../../../../engines/pixels.ts'
import { chosenPages } from '../chosen-pages.ts'
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
import { lookReader, placesOf, textArea } from './looks.ts'
import type { Block, Picture, TextDocument } from './model.ts'
import { withFullStops } from './numbered-lines.ts'
import { groupLines } from './paragraphs.ts'
import { fillsPage, PictureStore, type PlacedPicture, picturesOf } from './pictures.ts'
import { isInside, ruledTables } from './ruled-tables.ts'
import { drawForReading, type Recognition, readScans, type ScannedText } from './scanned.ts'
import { isRightToLeft } from './script.ts'
import { slantedParagraphs } from './slanted.ts'
import { type Tags, taggedTables, tagsOf } from './tags.ts'

export interface ReadOptions {
  password?: string | undefined
  /** Pages to read, such as `1-3,7`; all pages if undefined. */
  pages?: string
  /** Whether to report links to pages of the file. */
  pageLinks?: boolean
  /** Whether to read how the text looks and where it stands. */
  looks?: boolean
  /** How to read the text of scanned pages; if undefined, they stay pictures. */
  recognition?: Recognition
  progress: (fraction: number) => void
}

/** A document, and the numbers of pages, from 1, that it lacks or has only in part. */
export interface ReadResult {
  document: TextDocument
  /** Number of pages found by searching a badly damaged file; undefined for an intact one. */
  foundPages: number | undefined
  damaged: number[]
  /** Pages that are pictures without text. */
  scanned: number[]
  /** Pages with text whose letters the file does not identify. */
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
 * Reads the text of a PDF file in reading order.
 * @throws JobFailure encrypted_input, corrupt_input, too_many_pages, unsupported_input if no page is selected, engine_missing
 */
export async function readPdf(
  path: string,
  { password, pages: list = 'all', pageLinks = false, looks = false, recognition, progress }: ReadOptions,
): Promise<ReadResult> {
  using pdf = await openPdf(path, password)
  const chosen = chosenPages(pdf.pageCount, list)
  const store = new PictureStore()
  const lookOf = looks ? lookReader() : undefined
  const pages: SourcePage[] = []
  const [damaged, scanned, unreadable]: [number[], number[], number[]] = [[], [], []]
  const scans: { page: SourcePage; pixels: Pixels }[] = []
  await using readers = recognition ? new Readers(recognition.languages, recognition.cores) : undefined
  const readWaiting = async () => {
    const waiting = scans.splice(0)
    if (!readers || waiting.length === 0) return
    const found = await readScans(
      waiting.map(({ pixels }) => pixels),
      readers,
    )
    for (const [index, { page }] of waiting.entries()) {
      const text = found[index]
      if (text) takeText(page, text)
      else if (isScan(page.content)) scanned.push(page.content.index + 1)
      else if (isUnmapped(page.content)) unreadable.push(page.content.index + 1)
    }
  }
  for (const [position, index] of chosen.entries()) {
    progress((position / chosen.length) * 0.8)
    using page = pdf.page(index)
    if (!page) {
      damaged.push(index + 1)
      continue
    }
    const source = await sourcePage(page, store, pageLinks, lookOf)
    pages.push(source)
    const garbled = isGarbled(source.content) || isUnmapped(source.content)
    const wanted =
      isScan(source.content) ||
      isUnmapped(source.content) ||
      (recognition?.enabled && (garbled || hasLittleText(source.content)))
    const pixels = recognition && wanted ? await drawForReading(page) : null
    if (pixels) {
      scans.push({ page: source, pixels })
      if (scans.length >= recognition!.cores) await readWaiting()
    } else if (isScan(source.content)) scanned.push(index + 1)
    if (garbled && !pixels) unreadable.push(index + 1)
  }
  await readWaiting()
  if (pages.length === 0) throw new JobFailure('jobs.corrupt_input', message('pdf.no_readable_page'))
  const { blocks, footnotes, ...area } = blocksOf(pages, pdf.outline, looks)
  const { title, author, subject, keywords, created, language } = pdf.properties
  const text = pages.slice(0, 20).flatMap(({ words }) => words.map(word => word.text))
  return {
    document: {
      title,
      author,
      subject,
      keywords,
      created,
      outline: withinPages(pdf.outline, new Set(chosen)),
      language,
      rightToLeft: isRightToLeft(text.join(' ')),
      blocks,
      footnotes,
      pictures: usedPictures(blocks, await store.finished()),
      pageCount: pdf.pageCount,
      ...sizeOf(pages[0]!.content),
      ...area,
    },
    damaged,
    scanned,
    unreadable,
    lostPictures: store.lost,
    foundPages: pdf.isRepaired ? pdf.pageCount : undefined,
  }
}

/** A vertically written page was rotated for reading. */
const sizeOf = ({ width, height, vertical }: PageContent) =>
  vertical ? { pageWidth: height, pageHeight: width } : { pageWidth: width, pageHeight: height }

const lettersOf = ({ text }: PageContent) => text.reduce((sum, item) => sum + item.text.length, 0)

/** Whether a page consists of a picture only. */
const isScan = (content: PageContent) =>
  content.text.length === 0 && content.images.some(image => fillsPage(image, content))

/** Whether the file does not identify any letter of a page's text. */
const isUnmapped = ({ text, unmapped }: PageContent) => text.length === 0 && unmapped > 0

/** A page with fewer characters may be a scan with a stamp. */
const FEW_LETTERS = 50

const hasLittleText = (content: PageContent) => lettersOf(content) < FEW_LETTERS && content.images.length > 0

const isGarbled = (content: PageContent) =>
  content.unmapped > 20 && content.unmapped > lettersOf(content) * 0.1

/** Replaces a picture by the text recognised in it. */
function takeText(page: SourcePage, { width, height, words }: ScannedText): void {
  page.pictures = page.pictures.filter(({ box }) => !fillsPage(box, page.content))
  page.content = { ...page.content, width, height, turned: [], slanted: [], rulings: [], boxes: [] }
  page.words = words
}

async function sourcePage(
  page: PdfPage,
  store: PictureStore,
  pageLinks: boolean,
  lookOf?: ReturnType<typeof lookReader>,
): Promise<SourcePage> {
  const { content } = page
  const { rulings, boxes, width, height } = content
  const grids = gridsOf(rulings, boxes, { x: 0, y: 0, width, height })
  const tables = grids.filter(grid => grid.cells.length > 3)
  return {
    content,
    tags: tagsOf(content.structure),
    words: wordsOf(content.text, content, pageLinks).map(word =>
      lookOf && !word.hidden ? { ...word, look: lookOf(word) } : word,
    ),
    pictures: await picturesOf(page, store, tables),
  }
}

/** Entries that lead to one of these pages, and the entries above them. */
function withinPages(outline: readonly OutlineEntry[], pages: ReadonlySet<number>): OutlineEntry[] {
  const kept: OutlineEntry[] = []
  let level = 0
  for (const entry of outline.toReversed()) {
    const isAbove = entry.level < level
    if (!pages.has(entry.page) && !isAbove) continue
    kept.push(pages.has(entry.page) ? entry : { ...entry, page: -1 })
    level = entry.level
  }
  return kept.reverse()
}

/** Pictures that blocks show, renumbered: a scan whose text was read is not shown. */
function usedPictures(blocks: readonly Block[], pictures: readonly Picture[]): Picture[] {
  const numbers = new Map<number, number>()
  for (const block of blocks) {
    if (block.kind !== 'picture') continue
    const number = numbers.get(block.picture) ?? numbers.size
    numbers.set(block.picture, number)
    block.picture = number
  }
  return [...numbers.keys()].map(number => pictures[number]!)
}

/** The text words of a page, with the links over them. */
function wordsOf(
  items: readonly TextItem[],
  { width, height, links, hasFields }: PageContent,
  pageLinks: boolean,
): Word[] {
  const known = pageLinks ? links : links.filter(link => link.url !== undefined)
  return items.flatMap((item, order) => {
    const onPage = item.x < width && item.x + item.width > 0 && item.baseline > 0 && item.y < height
    // Dot leaders show that a line belongs to a table of contents. In forms the captions of fields are marked as artefacts,
    // since the fields have names.
    const isLeftOut = item.artefact && !hasFields && !/^[.·]+$/.test(item.text)
    if (isLeftOut || !onPage) return []
    const link = known.length > 0 ? linkOf(item, known) : undefined
    if (!link) return [{ ...item, order }]
    return [{ ...item, order, ...(link.url === undefined ? { leadsTo: link.page! } : { link: link.url }) }]
  })
}

const linkOf = (item: TextItem, links: readonly PdfLink[]) =>
  links.find(({ areas }) => areas.some(area => isInside(item, area, 1)))

function blocksOf(
  pages: readonly SourcePage[],
  outline: readonly OutlineEntry[],
  looks: boolean,
): Pick<TextDocument, 'blocks' | 'footnotes' | 'textArea'> {
  const texts = withoutFurniture(
    pages.map(({ content, words, pictures }) => ({
      index: content.index,
      height: content.height,
      words,
      hasPictures: pictures.length > 0,
    })),
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
  const slanted = slantedParagraphs(pages.map(({ content }) => content))
  const complete = drafts.map(draft => ({
    ...draft,
    regions: [...draft.regions, slanted.get(draft.index) ?? []],
  }))
  const area = textArea(complete)
  const places = new Map(
    looks ? complete.flatMap((page, number) => [...placesOf(page, area, pages[number]!.content.boxes)]) : [],
  )
  return {
    blocks: assemble(complete, { levels, notes, vocabulary, places }),
    footnotes: notes.texts,
    ...(looks && { textArea: area }),
  }
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
  // A document that is entirely monospaced, as from a typewriter, has no code.
  const own = monospace ? words.map(word => ({ ...word, font: { ...word.font, monospace: false } })) : words
  const tagged = taggedTables(page.tags.tables, own, vocabulary, content.index)
  const { tables, rest } = ruledTables(content, tagged.rest, vocabulary)
  const items: (TableDraft | PictureDraft)[] = [
    ...[...tagged.tables, ...tables].map(
      ({ table, box }): TableDraft => ({
        kind: 'table',
        table: { ...table, ruled: hasRulings(content, box) },
        box,
      }),
    ),
    ...page.pictures.map(
      ({ picture, box, content: marked }): PictureDraft => ({
        kind: 'picture',
        picture: {
          kind: 'picture',
          picture,
          width: content.vertical ? box.height : box.width,
          height: content.vertical ? box.width : box.height,
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
  // Rotated text comes after the rest of the page.
  for (const { text } of content.turned) {
    const lines = linesOf(text.filter(item => !item.artefact).map((item, order) => ({ ...item, order })))
    regions.push(draftsOf(lines, [], content, vocabulary))
  }
  return { index: content.index, width: content.width, height: content.height, regions }
}

const hasRulings = ({ rulings }: PageContent, box: Rectangle) =>
  rulings.some(({ x1, y1, x2, y2 }) => isInside({ x: x1, y: y1, width: x2 - x1, height: y2 - y1 }, box))

function draftsOf(
  found: Line[],
  items: readonly (TableDraft | PictureDraft)[],
  content: PageContent,
  vocabulary: Vocabulary,
): Draft[] {
  const lines = withFullStops(found)
  const drafts: { top: number; draft: Draft }[] = items.map(draft => ({
    top: draft.box.y + draft.box.height / 2,
    draft,
  }))
  const left = Math.min(...lines.map(line => line.x))
  const right = Math.max(...lines.map(line => line.right))
  const addText = (part: Line[]) => {
    for (const group of groupLines(part, left, right))
      drafts.push({ top: group.lines[0]!.baseline, draft: { ...group, kind: 'text', page: content.index } })
  }
  let from = 0
  for (const { table, box, from: first, to } of alignedTables(lines, content, vocabulary, content.index)) {
    addText(lines.slice(from, first))
    drafts.push({ top: lines[first]!.baseline, draft: { kind: 'table', table, box } })
    from = to
  }
  addText(lines.slice(from))
  return drafts.sort((one, other) => one.top - other.top).map(({ draft }) => draft)
}
