/** Reads a PDF file as a structured document. */

import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { isRightToLeft } from '../../../../engines/common/language/script.ts'
import { openPdf } from '../../../../engines/pdf/content/document.ts'
import type { OutlineEntry, PageContent } from '../../../../engines/pdf/content/types.ts'
import type { DrawnPage } from '../../../../engines/pdf/ocr/model.ts'
import { Readers } from '../../../../engines/pdf/ocr/readers.ts'
import type { PdfDocument } from '../../../../engines/pdf/pdfium/document.ts'
import { chosenPages } from '../chosen-pages.ts'
import { blocksOf } from './arrange.ts'
import { languageOf } from './metadata.ts'
import type { Block, PagePicture, TextDocument } from './model.ts'
import { PictureStore } from './pictures.ts'
import { drawForReading, type Recognition, readScan } from './scanned.ts'
import {
  doubtfulLetters,
  hasLittleText,
  isConfirmed,
  isGarbled,
  isScan,
  isUnmapped,
  lettersOf,
  type SourcePage,
  sourcePage,
  takeText,
} from './source-page.ts'
import { lookReader } from './styles.ts'

export interface ReadOptions {
  password?: string | undefined
  /** Pages to read, such as `1-3,7`; all pages if undefined. */
  pages?: string
  /** Whether to report links to pages of the file. */
  pageLinks?: boolean
  /** Whether to read the styles of the text and where it stands. */
  styled?: boolean
  /** Whether comments become notes where they stand. */
  comments?: boolean
  /** How to read the text of scanned pages; if undefined, they stay pictures. */
  recognition?: Recognition
  progress: (fraction: number) => void
}

/** A document, and the numbers of pages, from 1, that it lacks or has only in part. */
export interface ReadResult
  extends Pick<PdfDocument, 'isProtected' | 'isRepaired' | 'pageCount' | 'lacking'> {
  document: TextDocument
  damaged: number[]
  /** Pages that are pictures without text. */
  scanned: number[]
  /** Pages with text whose letters the file does not identify. */
  unreadable: number[]
  lostPictures: number
  /** Names of attached files. */
  attachments: string[]
}

/**
 * Reads the text of a PDF file in reading order.
 * @throws JobFailure encrypted_input, corrupt_input, too_many_pages, unsupported_input if no page is selected, engine_missing
 */
export async function readPdf(
  path: string,
  {
    password,
    pages: list = 'all',
    pageLinks = false,
    styled = false,
    comments = false,
    recognition,
    progress,
  }: ReadOptions,
): Promise<ReadResult> {
  using pdf = await openPdf(path, password)
  const chosen = chosenPages(pdf.pageCount, list)
  const store = new PictureStore()
  const lookOf = styled ? lookReader() : undefined
  const pages: SourcePage[] = []
  const [damaged, scanned, unreadable]: [number[], number[], number[]] = [[], [], []]
  await using readers = recognition ? new Readers(recognition.languages, recognition) : undefined
  const readLater = async (page: SourcePage, drawn: DrawnPage, readers: Readers) => {
    const { text: known, unmapped, index } = page.content
    const text = await readScan(drawn, readers)
    const doubtful = doubtfulLetters(page.content)
    if (text && doubtful > 0 && isConfirmed(page.content, text)) return
    // Signs that are no letters, such as notes of music, are not taken for the text that was lost.
    const isTaken =
      known.length === 0 ||
      recognition?.enabled ||
      lettersOf({ text: text?.words ?? [] }) > (unmapped + doubtful) / 2
    if (text && isTaken) takeText(page, text)
    else if (isScan(page.content)) scanned.push(index + 1)
    else if (isUnmapped(page.content) || doubtful > 0) unreadable.push(index + 1)
  }
  for (const [position, index] of chosen.entries()) {
    progress((position / chosen.length) * 0.8)
    using page = await pdf.page(index)
    if (!page) {
      damaged.push(index + 1)
      continue
    }
    if (!comments) page.content.comments = []
    const source = await sourcePage(page, store, pageLinks, lookOf)
    pages.push(source)
    const isDoubtful = doubtfulLetters(source.content) > 0
    const garbled = isGarbled(source.content) || isUnmapped(source.content) || isDoubtful
    const wanted =
      isScan(source.content) ||
      isUnmapped(source.content) ||
      isDoubtful ||
      (recognition?.enabled && (garbled || hasLittleText(source.content)))
    const drawn = readers && wanted ? await drawForReading(page) : undefined
    if (readers && drawn) await readers.start(readLater(source, drawn, readers))
    else if (isScan(source.content)) scanned.push(index + 1)
    if (garbled && !drawn) unreadable.push(index + 1)
  }
  await readers?.finished()
  if (pages.length === 0) throw new JobFailure('jobs.corrupt_input', message('pdf.no_readable_page'))
  const { blocks, footnotes, ...area } = blocksOf(pages, pdf.outline, styled)
  const text = pages.slice(0, 20).flatMap(({ words }) => words.map(word => word.text))
  return {
    document: {
      ...pdf.properties,
      outline: withinPages(pdf.outline, new Set(chosen)),
      language: languageOf(pdf.properties.language, text),
      rightToLeft: isRightToLeft(text.join(' ')),
      blocks,
      footnotes,
      pictures: usedPictures(blocks, await store.finished()),
      ...sizeOf(pages[0]!.content),
      ...area,
    },
    damaged,
    scanned: scanned.sort((one, other) => one - other),
    unreadable: unreadable.sort((one, other) => one - other),
    lostPictures: store.lost,
    isProtected: pdf.isProtected,
    attachments: pdf.attachments,
    isRepaired: pdf.isRepaired,
    pageCount: pdf.pageCount,
    lacking: pdf.lacking,
  }
}

/** A vertically written page was rotated for reading. */
const sizeOf = ({ width, height, vertical }: PageContent) =>
  vertical ? { pageWidth: height, pageHeight: width } : { pageWidth: width, pageHeight: height }

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
function usedPictures(blocks: readonly Block[], pictures: readonly PagePicture[]): PagePicture[] {
  const numbers = new Map<number, number>()
  for (const block of blocks) {
    if (block.kind !== 'picture') continue
    const number = numbers.get(block.picture) ?? numbers.size
    numbers.set(block.picture, number)
    block.picture = number
  }
  return [...numbers.keys()].map(number => pictures[number]!)
}
