/** Recognises the text of scanned pages with the Tesseract built into LiteParse. PDFium must not be used meanwhile. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Matrix, multiply } from '../formats/matrix.ts'
import { writePdf } from '../image-pdf/document.ts'
import { jpegImage } from '../image-pdf/jpeg.ts'
import type { Pixels } from '../pixels.ts'
import { sharp } from '../sharp/load.ts'
import { provideLanguages } from './data.ts'
import { skewOf } from './skew.ts'

/** Resolution at which pages should be scanned or drawn: Tesseract works best with letters of 20 to 40 pixels. */
export const OCR_DPI = 300

/** Text on one line, or on a part of one. */
export interface RecognisedText {
  text: string
  /** Upper left corner and size in pixels of the upright page. */
  x: number
  y: number
  width: number
  height: number
  /** 0 to 1. */
  confidence: number
}

export interface RecognisedPage {
  /** Size in pixels of the page once upright. */
  width: number
  height: number
  texts: RecognisedText[]
  /** Clockwise quarter turns that make the given picture upright. */
  turns: 0 | 1 | 2 | 3
  /** Maps pixels of the upright page to those of the given picture, including skew. */
  mapping: Matrix
}

interface RecogniserOptions {
  /** Tesseract's names, joined by `+`. */
  languages: string
  /** For temporary files. */
  folder: string
  cores: number
}

/**
 * Mean confidence above which text counts as read; on upside-down pages, Tesseract invents words with little
 * confidence.
 */
const SURE = 0.75
/** A page with fewer characters may be rotated. */
const FEW_CHARACTERS = 12

/**
 * Recognises the text of several pages in one run.
 * @param pages grey pictures at `OCR_DPI`, 8 bits, in any rotation
 * @throws JobFailure engine_missing if a language is not installed
 */
export async function recognisePages(
  pages: readonly Pixels[],
  options: RecogniserOptions,
): Promise<RecognisedPage[]> {
  const upright = await Promise.all(pages.map(page => turned(page, 0)))
  const read = await run(upright, options)
  const best = upright.map((candidate, i) => pageOf(candidate, read[i] ?? []))
  for (const [i, page] of pages.entries()) {
    // Sideways pages are more common than upside-down ones.
    for (const sides of [[1, 3], [2]] as const) {
      if (isRead(best[i]!)) break
      const candidates = await Promise.all(sides.map(turns => turned(page, turns)))
      const texts = await run(candidates, options)
      for (const [k, candidate] of candidates.entries()) {
        const other = pageOf(candidate, texts[k] ?? [])
        if (score(other) > score(best[i]!) * 1.2) best[i] = other
      }
    }
  }
  return best
}

interface Candidate {
  pixels: Pixels
  turns: 0 | 1 | 2 | 3
  mapping: Matrix
}

const pageOf = ({ pixels, turns, mapping }: Candidate, texts: RecognisedText[]): RecognisedPage => ({
  width: pixels.width,
  height: pixels.height,
  texts,
  turns,
  mapping,
})

/** Tesseract also reads vertical lines, whose boxes are tall. */
const isLevel = ({ text, width, height }: RecognisedText) => text.length < 3 || height < width * 1.2

/** Number of characters, weighted by confidence: text invented from rotated letters is short and uncertain. */
const score = ({ texts }: RecognisedPage) =>
  texts.reduce(
    (sum, each) => sum + (isLevel(each) ? each.text.length * Math.max(0, each.confidence - 0.4) ** 2 : 0),
    0,
  )

function isRead({ texts }: RecognisedPage): boolean {
  let [count, sure] = [0, 0]
  for (const each of texts) {
    count += each.text.length
    if (isLevel(each)) sure += each.text.length * each.confidence
  }
  return count >= FEW_CHARACTERS && sure / count >= SURE
}

/** A page rotated by quarter turns and then by its skew, with the reverse mapping. */
async function turned(page: Pixels, turns: 0 | 1 | 2 | 3): Promise<Candidate> {
  const quarter = turns === 0 ? page : await rotate(page, turns * 90)
  const back = quarterMapping(turns, page)
  const skew = await skewOf(quarter)
  if (skew === 0) return { pixels: quarter, turns, mapping: back }
  const pixels = await rotate(quarter, skew)
  // sharp rotates about the centre, and enlarges the picture for its corners.
  const [sine, cosine] = [Math.sin((skew * Math.PI) / 180), Math.cos((skew * Math.PI) / 180)]
  const [cx, cy] = [pixels.width / 2, pixels.height / 2]
  const straight: Matrix = [
    cosine,
    -sine,
    sine,
    cosine,
    quarter.width / 2 - cosine * cx - sine * cy,
    quarter.height / 2 + sine * cx - cosine * cy,
  ]
  return { pixels, turns, mapping: multiply(straight, back) }
}

async function rotate({ data, width, height }: Pixels, degrees: number): Promise<Pixels> {
  const { data: result, info } = await sharp(data, { raw: { width, height, channels: 1 } })
    .rotate(degrees, { background: '#fff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: result, width: info.width, height: info.height, channels: info.channels as 1 }
}

/** Maps a page rotated clockwise by quarter turns back to the given one. */
function quarterMapping(turns: 0 | 1 | 2 | 3, { width, height }: Pixels): Matrix {
  const mappings: Record<0 | 1 | 2 | 3, Matrix> = {
    0: [1, 0, 0, 1, 0, 0],
    1: [0, -1, 1, 0, 0, height],
    2: [-1, 0, 0, -1, width, height],
    3: [0, 1, -1, 0, width, 0],
  }
  return mappings[turns]
}

/** Makes LiteParse read pictures as pages of a PDF, the only input it accepts. */
async function run(
  candidates: readonly Candidate[],
  { languages, folder, cores }: RecogniserOptions,
): Promise<RecognisedText[][]> {
  const tessdataPath = await provideLanguages(languages, folder)
  const { LiteParse } = await import('@llamaindex/liteparse')
  const path = join(folder, 'scanned.pdf')
  async function* pages() {
    for (const { pixels } of candidates) {
      const { data, width, height } = pixels
      const jpeg = await sharp(data, { raw: { width, height, channels: 1 } })
        .toColourspace('b-w')
        .jpeg({ quality: 92 })
        .toBuffer()
      const image = jpegImage(jpeg, true)
      if (image) yield { image, density: OCR_DPI }
    }
  }
  try {
    await writePdf(path, pages())
    const parser = new LiteParse({
      ocrEnabled: true,
      ocrLanguage: languages,
      // Without it LiteParse would download the data.
      tessdataPath,
      dpi: OCR_DPI,
      numWorkers: cores,
      quiet: true,
    })
    const { pages: found } = await parser.parse(path)
    return candidates.map(({ pixels }, i) => {
      const page = found[i]
      if (!page) return []
      const [across, down] = [pixels.width / page.width, pixels.height / page.height]
      return page.textItems
        .filter(({ text }) => text.trim() !== '')
        .map(({ text, x, y, width, height, confidence }) => ({
          text: text.trim(),
          x: x * across,
          y: y * down,
          width: width * across,
          height: height * down,
          confidence: confidence ?? 1,
        }))
    })
  } finally {
    await rm(path, { force: true })
  }
}
