import { type Matrix, multiply } from '../../common/matrix.ts'
import { scaledSize } from '../../common/rectangle.ts'
import { type Handle, pdfium } from '../pdfium/library.ts'
import { matrixOf, objectsOf } from './graphics.ts'
import type { ImageContent } from './image.ts'
import type { Rectangle } from './types.ts'

/** Three bytes a pixel. */
const BGR = 2
const WHITE = 255
/** Flags: render annotations, and write red first. */
const FLAGS = 0x01 | 0x10
const POINTS_AN_INCH = 72
const PIXEL_LIMIT = 16_000_000

/**
 * Renders a part of a page on white.
 * @param turned maps the page as PDFium displays it to the coordinates of `part`
 */
export function renderPart(
  page: Handle,
  turned: Matrix,
  part: Rectangle,
  density: number,
): ImageContent | null {
  const library = pdfium()
  const wanted = density / POINTS_AN_INCH
  const scale = Math.min(wanted, Math.sqrt(PIXEL_LIMIT / Math.max(1, part.width * part.height)))
  const { width, height } = scaledSize(part, scale)
  const data = new Uint8Array(width * height * 3).fill(WHITE)
  const bitmap = library.createBitmap(width, height, BGR, data, width * 3)
  if (!bitmap) return null
  const matrix = multiply(turned, [scale, 0, 0, scale, -part.x * scale, -part.y * scale])
  const whole = Float32Array.from([0, 0, width, height])
  library.drawTransformed(bitmap, page, Float32Array.from(matrix), whole, FLAGS)
  library.destroyBitmap(bitmap)
  return { pixels: { data, width, height, channels: 3 } }
}

/** The type of page objects that are text, and the mode in which letters are not drawn (ISO 32000-1, table 106). */
const TEXT = 1
const INVISIBLE = 3

/**
 * Has the page not draw its level letters, nor those in its forms.
 * @param turned maps the page as PDFium displays it to that in which its text is upright
 */
export function hideText(page: Handle, turned: Matrix): void {
  for (const { object, kind, matrix } of objectsOf(page, turned)) {
    if (kind !== TEXT) continue
    const [a, b] = multiply(matrixOf(object), matrix)
    if (Math.abs(b) < Math.abs(a) / 100) pdfium().setRenderMode(object, INVISIBLE)
  }
}
