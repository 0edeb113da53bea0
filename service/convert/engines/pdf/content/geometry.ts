import { type Matrix, multiply } from '../../common/matrix.ts'
import type { Handle } from '../pdfium/library.ts'
import { pdfium } from '../pdfium/library.ts'
import type { Rectangle } from './types.ts'

/** The bounding box of a mapped rectangle, given by its lower left and upper right corners. */
export function mapped(matrix: Matrix, x1: number, y1: number, x2: number, y2: number): Rectangle {
  const [a, b, c, d, e, f] = matrix
  const left = Math.min(a * x1, a * x2) + Math.min(c * y1, c * y2) + e
  const right = Math.max(a * x1, a * x2) + Math.max(c * y1, c * y2) + e
  const top = Math.min(b * x1, b * x2) + Math.min(d * y1, d * y2) + f
  const bottom = Math.max(b * x1, b * x2) + Math.max(d * y1, d * y2) + f
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** How a page is displayed: its size, and the transform from its own coordinates to displayed ones. */
export interface View {
  width: number
  height: number
  matrix: Matrix
}

/** Rotates an upright page of this size clockwise; the matrix maps its coordinates to those of the rotated page. */
export function turn({ width, height, matrix }: View, quarters: number): View {
  switch (((quarters % 4) + 4) % 4) {
    case 1:
      return { width: height, height: width, matrix: multiply(matrix, [0, 1, -1, 0, height, 0]) }
    case 2:
      return { width, height, matrix: multiply(matrix, [-1, 0, 0, -1, width, height]) }
    case 3:
      return { width: height, height: width, matrix: multiply(matrix, [0, -1, 1, 0, 0, width]) }
    default:
      return { width, height, matrix }
  }
}

/** Largest page that PDF allows, in points at its largest user unit; broken files declare more. */
const EDGE_LIMIT = 200_000

/** How PDFium displays a page: its crop box, with the rotation of the page. */
export function viewOf(page: Handle): View {
  const box = new Float32Array(4)
  const known = pdfium().pageBounds(page, box)
  const [left = 0, top = 792, right = 612, bottom = 0] = known ? box : []
  const width = Math.min(Math.abs(right - left), EDGE_LIMIT) || 612
  const height = Math.min(Math.abs(top - bottom), EDGE_LIMIT) || 792
  const upright: View = {
    width,
    height,
    matrix: [1, 0, 0, -1, -Math.min(left, right), Math.max(top, bottom)],
  }
  return turn(upright, pdfium().rotation(page))
}
