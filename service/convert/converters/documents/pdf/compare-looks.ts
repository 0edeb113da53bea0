/** Finds where two pages look different. */
import { around, overlap, type Rectangle, unionOf } from '../../../engines/common/rectangle.ts'
import type { PdfDocument } from '../../../engines/pdf/pdfium/document.ts'
import { release } from '../../../engines/pictures/pixels.ts'
import { rasterOf } from './pages.ts'

/** Pixels per inch, edge of the squares that are compared in pixels, and how much a sample has to differ, of 255. */
const DPI = 75
const SQUARE = 8
const CONTRAST = 60
const POINTS = 72 / DPI
/** Places nearer than this belong together, in points. */
const NEAR = 12

/**
 * Places of a page that look different in two documents, apart from those that are known, in points from its lower left corner.
 * A page that one of them lacks, or of another size, is no place.
 */
export function lookDifferences(
  before: PdfDocument,
  after: PdfDocument,
  page: number,
  known: readonly Rectangle[],
): Rectangle[] {
  const [size, other] = [before.pageSize(page), after.pageSize(page)]
  if (!size || !other) return []
  const { width, height } = rasterOf(size, DPI)
  const same = rasterOf(other, DPI)
  if (same.width !== width || same.height !== height) return [{ x: 0, y: 0, ...other }]
  const [one, two] = [before.render(page, { width, height }), after.render(page, { width, height })]
  if (!one || !two) return []
  const across = Math.ceil(width / SQUARE)
  const squares = new Set<number>()
  for (let at = 0; at < one.data.length; at++) {
    if (Math.abs(one.data[at]! - two.data[at]!) < CONTRAST) continue
    const pixel = Math.floor(at / 3)
    squares.add(
      Math.floor(Math.floor(pixel / width) / SQUARE) * across + Math.floor((pixel % width) / SQUARE),
    )
  }
  release(one)
  release(two)
  const places: Rectangle[] = []
  for (const square of squares) {
    const [column, row] = [square % across, Math.floor(square / across)]
    const edge = SQUARE * POINTS
    const box = { x: column * edge, y: size.height - (row + 1) * edge, width: edge, height: edge }
    if (known.some(place => overlap(around(place, 2), box))) continue
    const near = places.filter(place => overlap(around(place, NEAR), box))
    for (const place of near) places.splice(places.indexOf(place), 1)
    places.push(unionOf([...near, box])!)
  }
  return places
}
