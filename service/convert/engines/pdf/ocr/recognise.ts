/** Recognises the text of scanned pages with Tesseract. */
import { identity, type Matrix } from '../../common/matrix.ts'
import type { Pixels } from '../../pictures/pixels.ts'
import { sharp } from '../../pictures/sharp/load.ts'
import { turn } from '../content/geometry.ts'
import type { DrawnPage, ReadLine } from './model.ts'
import type { Readers } from './readers.ts'
import { skewOf } from './skew.ts'

export interface RecognisedPage {
  /** Size in pixels of the page once upright. */
  width: number
  height: number
  /** In reading order. */
  lines: ReadLine[]
  /** Clockwise quarter turns that make the given picture upright. */
  turns: 0 | 1 | 2 | 3
  /** Maps pixels of the upright page, from which skew was removed, to those of the page with its skew. */
  unskew: Matrix
  /** Maps pixels of the page with its skew, which is turned by quarters only, to those of the given picture. */
  mapping: Matrix
}

/**
 * Mean confidence above which text counts as read; on upside-down pages, Tesseract invents words with little
 * confidence.
 */
const SURE = 0.75
/** A page with fewer characters may be rotated. */
const FEW_CHARACTERS = 12

/**
 * Recognises the text of a page.
 * @throws JobFailure engine_missing if a language is not installed
 */
export async function recognisePage(page: DrawnPage, readers: Readers): Promise<RecognisedPage> {
  const readTurned = async (turns: 0 | 1 | 2 | 3): Promise<RecognisedPage> => {
    const { pixels, ...candidate } = await turned(page, turns)
    const lines = await readers.read({ ...pixels, dpi: page.dpi })
    return { width: pixels.width, height: pixels.height, lines, ...candidate }
  }
  let best = await readTurned(0)
  // Sideways pages are more common than upside-down ones.
  for (const sides of [[1, 3], [2]] as const) {
    if (isRead(best)) break
    for (const other of await Promise.all(sides.map(readTurned)))
      if (score(other) > score(best) * 1.2) best = other
  }
  return best
}

/** Number of letters, weighted by confidence: text invented from rotated letters is short and uncertain. */
const score = ({ lines }: RecognisedPage) =>
  lines
    .filter(({ level }) => level)
    .flatMap(({ words }) => words)
    .reduce((sum, { text, confidence }) => sum + text.length * Math.max(0, confidence - 0.4) ** 2, 0)

function isRead({ lines }: RecognisedPage): boolean {
  let [count, sure] = [0, 0]
  for (const { words, level } of lines)
    for (const { text, confidence } of words) {
      count += text.length
      if (level) sure += text.length * confidence
    }
  return count >= FEW_CHARACTERS && sure / count >= SURE
}

/** A page rotated by quarter turns and then by its skew, with the reverse mappings. */
async function turned(page: Pixels, turns: 0 | 1 | 2 | 3) {
  const quarter = turns === 0 ? page : await rotate(page, turns * 90)
  const { matrix: mapping } = turn({ ...quarter, matrix: identity }, -turns)
  const skew = await skewOf(quarter)
  if (skew === 0) return { pixels: quarter, turns, unskew: identity, mapping }
  const pixels = await rotate(quarter, skew)
  // sharp rotates about the centre, and enlarges the picture for its corners.
  const [sine, cosine] = [Math.sin((skew * Math.PI) / 180), Math.cos((skew * Math.PI) / 180)]
  const [cx, cy] = [pixels.width / 2, pixels.height / 2]
  const unskew: Matrix = [
    cosine,
    -sine,
    sine,
    cosine,
    quarter.width / 2 - cosine * cx - sine * cy,
    quarter.height / 2 + sine * cx - cosine * cy,
  ]
  return { pixels, turns, unskew, mapping }
}

async function rotate({ data, width, height }: Pixels, degrees: number): Promise<Pixels> {
  const { data: result, info } = await sharp(data, { raw: { width, height, channels: 1 } })
    .rotate(degrees, { background: '#fff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: result, width: info.width, height: info.height, channels: info.channels as 1 }
}
