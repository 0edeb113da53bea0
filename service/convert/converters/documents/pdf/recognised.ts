/** Puts recognised text behind scanned pages, so that it can be searched and copied. */

import { degrees, type PDFDocument } from '@cantoo/pdf-lib'
import { message } from '../../../../shared/messages/message.ts'
import type { Task } from '../../../catalogue/task.ts'
import { apply, type Matrix, multiply } from '../../../engines/common/matrix.ts'
import type { Rectangle } from '../../../engines/common/rectangle.ts'
import type { DrawnPage, ReadLine, ReadWord } from '../../../engines/pdf/ocr/model.ts'
import { Readers } from '../../../engines/pdf/ocr/readers.ts'
import { type RecognisedPage, recognisePage } from '../../../engines/pdf/ocr/recognise.ts'
import { drawnForReading, inGrey } from '../../../engines/pdf/ocr/resolution.ts'
import { shownMatrix, type TextBox, type TextLayer } from '../../../engines/pdf/pdfa/index.ts'
import type { PageSize, PdfDocument } from '../../../engines/pdf/pdfium/document.ts'
import { type Pixels, release } from '../../../engines/pictures/pixels.ts'
import { listed } from './chosen-pages.ts'
import { rasterOf } from './pages.ts'
import { shownRuns } from './shown-text.ts'

/** A page with at least this many characters counts as having its own text: a scan may be stamped with a number. */
const OWN_CHARACTERS = 50
/** Maximum number of pixels of a page that is read; Tesseract needs some twenty bytes for each. */
const READ_PIXELS = 40_000_000
/** Light grey: a page without anything darker is blank. */
const PAPER = 200
/** Share of a line's height that is above its baseline. */
const ASCENT = 0.8
/** From one baseline to the next of a paragraph, at most, as a share of a line's height. */
const PARAGRAPH = 1.7
/** Words with lower confidence are taken for dirt. */
const DOUBTFUL = 0.3

/** Recognises pages without text, rotates sideways and upside-down pages, and warns about pages without a result. @returns those */
export async function addRecognisedText(
  task: Task,
  pdf: PdfDocument,
  document: PDFDocument,
  layer: TextLayer,
  languages: string,
): Promise<number[]> {
  const all = Array.from({ length: pdf.pageCount }, (_, page) => page)
  const scanned = all.filter(page => pdf.countCharacters(page) < OWN_CHARACTERS)
  const without: number[] = []
  await using readers = new Readers(languages, task)
  const read: { page: number; found: RecognisedPage; drawn: DrawnPage; runs: Rectangle[]; size: PageSize }[] =
    []
  for (const [position, page] of scanned.entries()) {
    task.progress(0.3 + (0.6 * position) / scanned.length)
    const size = pdf.pageSize(page)
    const drawn = size && (await drawnForReading(dpi => drawGrey(pdf, page, size, dpi)))
    if (!drawn) continue
    const runs = shownRuns(pdf, page).map(({ box }) => box)
    const readPage = async () => {
      read.push({ page, found: await recognisePage(drawn, readers), drawn, runs, size })
      release(drawn)
    }
    await readers.start(readPage())
  }
  await readers.finished()
  // In their order, so that the same file always becomes the same.
  for (const { page, found, drawn, runs, size } of read.sort((one, other) => one.page - other.page)) {
    const added = addTo(document, layer, page, found, drawn, runs, size)
    if (!added && runs.length === 0) without.push(page)
  }
  if (without.length > 0) task.warn(message('ocr.nothing_found', { pages: listed(without) }))
  return without
}

/** A page in grey; undefined if it is blank or cannot be read. */
async function drawGrey(
  pdf: PdfDocument,
  page: number,
  size: PageSize,
  wanted: number,
): Promise<DrawnPage | undefined> {
  const dpi = Math.min(wanted, 72 * Math.sqrt(READ_PIXELS / (size.width * size.height)))
  const drawn = pdf.render(page, rasterOf(size, dpi))
  if (!drawn) return undefined
  const grey = await inGrey(drawn, dpi)
  release(drawn)
  return grey.data.every(value => value > PAPER) ? undefined : grey
}

/**
 * @param runs where the page's own text is, in points of the page as displayed, which has this size
 * @returns whether there was any text
 */
function addTo(
  document: PDFDocument,
  layer: TextLayer,
  index: number,
  found: RecognisedPage,
  { width, height }: Pixels,
  runs: readonly Rectangle[],
  size: PageSize,
): boolean {
  const page = document.getPage(index)
  const shown: Matrix = [1 / width, 0, 0, -1 / height, 0, 1]
  const tall = found.turns % 2 === 0 ? height : width
  // Maps pixels of the page turned by quarters, counted from the bottom, to the page's own coordinates.
  const upwards: Matrix = [1, 0, 0, -1, 0, tall]
  const ofPage = multiply(multiply(upwards, found.mapping), shown)
  const matrix = multiply(ofPage, shownMatrix(page))
  const boxesOf = (line: ReadLine) =>
    line.words
      .filter(word => word.confidence >= DOUBTFUL)
      .map(word => level(boxOf(word, line), found.unskew))
      .map(box => ({ ...box, y: tall - box.y - box.height }))
      // Skips words that the page already contains as text.
      .filter(box => {
        const [across, up] = apply(ofPage, box.x + box.width / 2, box.y + box.height / 2)
        const [px, py] = [across * size.width, up * size.height]
        return !runs.some(
          run => px >= run.x && px <= run.x + run.width && py >= run.y && py <= run.y + run.height,
        )
      })
      // Without a space, screen readers join a word with the next.
      .map(box => ({ ...box, text: `${box.text} `, width: box.width * (1 + 1 / box.text.length) }))
  const paragraphs: TextBox[][] = []
  for (const [index, line] of found.lines.entries()) {
    const step = line.baseline - (found.lines[index - 1]?.baseline ?? 0)
    if (paragraphs.length === 0 || step <= 0 || step > line.height * PARAGRAPH) paragraphs.push([])
    paragraphs.at(-1)!.push(...boxesOf(line))
  }
  layer.add(page, paragraphs, matrix)
  const boxes = paragraphs.flat()
  if (boxes.length > 0 && found.turns > 0) {
    page.setRotation(degrees((((page.getRotation().angle + found.turns * 90) % 360) + 360) % 360))
  }
  return boxes.length > 0
}

/** Where a word's text is put: as high as its line, so that all words of a line are selected alike. */
const boxOf = ({ text, x, y, width, height }: ReadWord, line: ReadLine) =>
  line.level
    ? { text, x, y: line.baseline - line.height * ASCENT, width, height: line.height }
    : { text, x, y, width, height }

/** On a skewed page, each word is level at its place: readers break slanted words. */
const level = (box: TextBox, unskew: Matrix): TextBox => {
  const [x, y] = apply(unskew, box.x + box.width / 2, box.y + box.height / 2)
  return { ...box, x: x - box.width / 2, y: y - box.height / 2 }
}
