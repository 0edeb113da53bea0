/** Reads the words of pages that are pictures of text. */
import { OCR_DPI, type RecognisedPage, recognisePages } from '../../../../engines/ocr/recognise.ts'
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
  folder: string
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
export async function readScans(
  pages: readonly Pixels[],
  { languages, folder, cores }: Recognition,
): Promise<(ScannedText | null)[]> {
  const found = await recognisePages(pages, { languages, folder, cores })
  return pages.map((_, index) => (found[index] ? textOf(found[index]) : null))
}

const FONT: PdfFont = { name: 'recognised', bold: false, italic: false, monospace: false }

function textOf({ width, height, texts }: RecognisedPage): ScannedText | null {
  const kept = texts.filter(({ text, confidence }) => confidence >= (text.length < 3 ? SURE : DOUBTFUL))
  const letters = kept.reduce((sum, { text }) => sum + text.length, 0)
  const sure = kept.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0)
  if (letters === 0 || sure / letters < SURE) return null
  const usual = median(kept.map(each => each.height)) * POINTS
  const words: Word[] = []
  for (const each of kept) {
    // The height of a word depends on its letters; only much taller or lower words have another size.
    const own = each.height * POINTS
    const lineHeight = Math.abs(own - usual) < usual * 0.35 ? usual : own
    const advance = (each.width * POINTS) / each.text.length
    let at = each.x * POINTS
    for (const text of each.text.split(/(\s+)/)) {
      if (text.trim() !== '') {
        const baseline = each.y * POINTS + own * 0.8
        const size = lineHeight * 0.95
        words.push({
          text,
          x: at,
          y: baseline - size * 0.8,
          width: advance * text.length,
          height: size,
          baseline,
          size,
          font: FONT,
          colour: 0,
          joined: false,
          hidden: false,
          content: -1,
          artefact: false,
          order: words.length,
        })
      }
      at += advance * text.length
    }
  }
  return { width: width * POINTS, height: height * POINTS, words: level(words) }
}

/** Aligns adjacent words on one line, since the bottom of their boxes depends on their letters. */
function level(words: Word[]): Word[] {
  const sorted = words.toSorted((one, other) => one.baseline - other.baseline)
  for (let from = 0; from < sorted.length; ) {
    const first = sorted[from]!
    let to = from + 1
    while (to < sorted.length && sorted[to]!.baseline - first.baseline < first.size * 0.5) to += 1
    const line = sorted.slice(from, to)
    const baseline = median(line.map(word => word.baseline))
    const size = median(line.map(word => word.size))
    for (const word of line) {
      if (Math.abs(word.size - size) > size * 0.4) continue
      word.baseline = baseline
      word.size = size
      word.height = size
      word.y = baseline - size * 0.8
    }
    from = to
  }
  return words
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[sorted.length >> 1] ?? 10
}
