/** Draws pages for reading, finely only where their letters are small: Tesseract takes longer for more pixels. */
import type { Pixels } from '../../pictures/pixels.ts'
import { sharp } from '../../pictures/sharp/load.ts'
import type { DrawnPage } from './model.ts'

/** Resolutions for usual letters and for small ones, which Tesseract would miss at the lower one. */
const [USUAL_DPI, FINE_DPI] = [200, 300]
/** Height in pixels of an x at `USUAL_DPI` in print of 10 points, and the share of the marks on a page that may be lower. */
const [LEAST_LETTER, LOWER] = [12, 0.1]
/** Grey that is ink. */
const INK = 128
/** Lower or narrower marks are dots and dirt, higher or wider ones are rules and pictures; in pixels. */
const [DOT, PICTURE] = [5, 60]
/** A page with fewer marks of that size is read quickly, and may be a table, whose lone figures need the finer one. */
const FEW = 1000

/** A drawn page in grey. */
export async function inGrey({ data, width, height }: Pixels, dpi: number): Promise<DrawnPage> {
  const grey = sharp(data, { raw: { width, height, channels: 3 } }).toColourspace('b-w')
  return { data: await grey.raw().toBuffer(), width, height, channels: 1, dpi }
}

/** @param draw draws a page in grey; undefined if there is nothing to read, which is handed on */
export async function drawnForReading(
  draw: (dpi: number) => Promise<DrawnPage | undefined>,
): Promise<DrawnPage | undefined> {
  const page = await draw(USUAL_DPI)
  return page && hasSmallLetters(page) ? draw(FINE_DPI) : page
}

function hasSmallLetters(page: Pixels): boolean {
  const heights = markHeights(page)
  if (heights.length < FEW) return true
  return heights.filter(height => height < LEAST_LETTER).length > heights.length * LOWER
}

/** Heights of the connected marks of ink that are as large as letters. */
function markHeights({ data, width, height }: Pixels): number[] {
  const heights: number[] = []
  // A blank border on all sides spares a look at the edges for each of millions of pixels.
  const across = width + 2
  const ink = new Uint8Array(across * (height + 2))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (data[y * width + x]! < INK) ink[(y + 1) * across + x + 1] = 1
  const neighbours = [-across - 1, -across, -across + 1, -1, 1, across - 1, across, across + 1]
  const waiting = new Int32Array(width * height)
  for (let start = ink.indexOf(1); start >= 0; start = ink.indexOf(1, start)) {
    ink[start] = 0
    waiting[0] = start
    let [left, right, top, bottom] = [across, 0, height + 2, 0]
    for (let count = 1; count > 0; ) {
      const at = waiting[--count]!
      const x = at % across
      const y = (at - x) / across
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      if (y > bottom) bottom = y
      for (const step of neighbours)
        if (ink[at + step] === 1) {
          ink[at + step] = 0
          waiting[count++] = at + step
        }
    }
    const [wide, high] = [right - left + 1, bottom - top + 1]
    if (high >= DOT && high <= PICTURE && wide >= DOT && wide <= PICTURE) heights.push(high)
  }
  return heights
}
