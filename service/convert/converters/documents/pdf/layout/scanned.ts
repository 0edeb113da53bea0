/** Reads the words of pages that are pictures of text. */

import { median } from '../../../../engines/median.ts'
import type { ReadLine, ReadWord } from '../../../../engines/ocr/model.ts'
import { OCR_DPI, type Readers } from '../../../../engines/ocr/readers.ts'
import { type RecognisedPage, recognisePages } from '../../../../engines/ocr/recognise.ts'
import type { PdfPage } from '../../../../engines/pdf-content/page.ts'
import type { PdfFont } from '../../../../engines/pdf-content/types.ts'
import type { Pixels } from '../../../../engines/pixels.ts'
import { sharp } from '../../../../engines/sharp/load.ts'
import type { Word } from './lines.ts'

export interface Recognition {
  /** Also reads pages with little text, and pages whose file does not identify their letters. */
  enabled: boolean
  /** Tesseract's names of languages, joined by `+`. */
  languages: string
  cores: number
}

/** Size and words of a page rotated upright, in points. */
export interface ScannedText {
  width: number
  height: number
  words: Word[]
}

/** If the mean confidence is lower, the result is not text or is in another language. */
const SURE = 0.6
/** Text with lower confidence is left out as dirt. */
const DOUBTFUL = 0.3

const POINTS = 72 / OCR_DPI

/** A page as input for Tesseract; null if it cannot be drawn. */
export async function drawForReading({ content, picture }: PdfPage): Promise<Pixels | null> {
  const drawn = picture({ x: 0, y: 0, width: content.width, height: content.height }, OCR_DPI)
  if (!drawn || !('pixels' in drawn)) return null
  const { data, width, height } = drawn.pixels
  const grey = sharp(data, { raw: { width, height, channels: 3 } }).toColourspace('b-w')
  return { data: await grey.raw().toBuffer(), width, height, channels: 1 }
}

/** The text of pages; null for a page without a reliable result. */
export async function readScans(pages: readonly Pixels[], readers: Readers): Promise<(ScannedText | null)[]> {
  const found = await recognisePages(pages, readers)
  return pages.map((_, index) => (found[index] ? textOf(found[index]) : null))
}

export const RECOGNISED_FONT: PdfFont = { name: 'recognised', bold: false, italic: false, monospace: false }
/** Share of the height of a line that is the size of its font. */
const SIZE = 0.95

function textOf({ width, height, lines }: RecognisedPage): ScannedText | null {
  const kept = lines.map(line => ({ ...line, words: line.words.filter(word => isReliable(word, line)) }))
  const all = kept.flatMap(({ words }) => words)
  const letters = all.reduce((sum, { text }) => sum + text.length, 0)
  const sure = all.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0)
  if (letters === 0 || sure / letters < SURE) return null
  const usual = median(kept.flatMap(line => line.words.map(() => line.height))) ?? 10
  const words: Word[] = []
  for (const line of kept) {
    // The height that Tesseract finds depends on the letters of a line; only much taller or lower ones differ in size.
    const isUsual = !line.level || Math.abs(line.height - usual) < usual * 0.35
    const size = (isUsual ? usual : line.height) * SIZE * POINTS
    for (const { text, x, y, width } of line.words) {
      const baseline = line.level ? line.baseline * POINTS : y * POINTS + size * 0.8
      words.push({
        text,
        x: x * POINTS,
        y: baseline - size * 0.8,
        width: width * POINTS,
        height: size,
        baseline,
        size,
        font: RECOGNISED_FONT,
        colour: 0,
        joined: false,
        hidden: false,
        content: -1,
        artefact: false,
        order: words.length,
      })
    }
  }
  return { width: width * POINTS, height: height * POINTS, words }
}

/** One or two letters on their own are often dirt; among others they are words. */
const isReliable = ({ text, confidence }: ReadWord, { words }: ReadLine) =>
  confidence >= (text.length < 3 && words.length < 2 ? SURE : DOUBTFUL)
