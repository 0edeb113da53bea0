/** Draws pages for reading, finely only where their letters are small: Tesseract takes longer for more pixels. */
import type { Pixels } from '../../pictures/pixels.ts'
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
  const seen = new Uint8Array(width * height)
  const waiting: number[] = []
  const visit = (at: number) => {
    if (seen[at] || data[at]! >= INK) return
    seen[at] = 1
    waiting.push(at)
  }
  for (let start = 0; start < seen.length; start++) {
    visit(start)
    let [left, right, top, bottom] = [width, 0, height, 0]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const x = at % width
      const y = (at - x) / width
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++)
          visit(row * width + column)
    }
    const [across, down] = [right - left + 1, bottom - top + 1]
    if (down >= DOT && down <= PICTURE && across >= DOT && across <= PICTURE) heights.push(down)
  }
  return heights
}
