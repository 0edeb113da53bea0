/** Reads the words of pages that are pictures of text. */

import { median } from '../../../../engines/common/median.ts'
import { itemOf } from '../../../../engines/pdf/content/fields.ts'
import type { PdfPage } from '../../../../engines/pdf/content/page.ts'
import type { PdfFont } from '../../../../engines/pdf/content/types.ts'
import type { DrawnPage, ReadLine, ReadWord } from '../../../../engines/pdf/ocr/model.ts'
import type { Readers } from '../../../../engines/pdf/ocr/readers.ts'
import { type RecognisedPage, recognisePage } from '../../../../engines/pdf/ocr/recognise.ts'
import { drawnForReading, inGrey } from '../../../../engines/pdf/ocr/resolution.ts'
import type { Word } from './lines.ts'

export interface Recognition {
  /** Also reads pages with little text, and pages whose file does not identify their letters. */
  enabled: boolean
  /** Tesseract's names of languages, joined by `+`. */
  languages: string
  cores: number
  /** For temporary files. */
  folder: string
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

/** A page in grey for reading; undefined if it cannot be drawn. */
export const drawForReading = ({ content, picture }: PdfPage): Promise<DrawnPage | undefined> =>
  drawnForReading(async wanted => {
    const drawn = picture({ x: 0, y: 0, width: content.width, height: content.height }, wanted)
    if (!drawn || !('pixels' in drawn)) return undefined
    const { width, height } = drawn.pixels
    // A large page is drawn more coarsely.
    return inGrey(drawn.pixels, 72 * Math.sqrt((width * height) / (content.width * content.height)))
  })

/** The text of a page; undefined without a reliable result. */
export const readScan = async (page: DrawnPage, readers: Readers): Promise<ScannedText | undefined> =>
  textOf(await recognisePage(page, readers), 72 / page.dpi)

export const RECOGNISED_FONT: PdfFont = { name: 'recognised', bold: false, italic: false, monospace: false }
/** Share of the height of a line that is the size of its font. */
const SIZE = 0.95

/** @param points of a pixel */
function textOf({ width, height, lines }: RecognisedPage, points: number): ScannedText | undefined {
  const kept = lines.map(line => ({ ...line, words: line.words.filter(word => isReliable(word, line)) }))
  const all = kept.flatMap(({ words }) => words)
  const letters = all.reduce((sum, { text }) => sum + text.length, 0)
  const sure = all.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0)
  if (letters === 0 || sure / letters < SURE) return undefined
  const usual = median(kept.flatMap(line => line.words.map(() => line.height))) ?? 10
  const words: Word[] = []
  for (const line of kept) {
    // The height that Tesseract finds depends on the letters of a line; only much taller or lower ones differ in size.
    const isUsual = !line.level || Math.abs(line.height - usual) < usual * 0.35
    const size = (isUsual ? usual : line.height) * SIZE * points
    for (const { text, x, y, width } of line.words) {
      const baseline = line.level ? line.baseline * points : y * points + size * 0.8
      const item = itemOf(text, x * points, baseline, width * points, size, RECOGNISED_FONT)
      words.push({ ...item, order: words.length })
    }
  }
  return { width: width * points, height: height * points, words }
}

/** One or two letters on their own are often dirt; among others they are words. */
const isReliable = ({ text, confidence }: ReadWord, { words }: ReadLine) =>
  confidence >= (text.length < 3 && words.length < 2 ? SURE : DOUBTFUL)
