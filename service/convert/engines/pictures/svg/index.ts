import { scaledSize } from '../../common/rectangle.ts'
import type { Pixels } from '../pixels.ts'
import { readDrawing } from './prepare.ts'
import { renderDrawing } from './render.ts'

export { readDrawing, renderDrawing }

/**
 * Draws an SVG without its own fonts, at twice its own size.
 * @param edge the longest in pixels
 * @throws JobFailure corrupt_input, too_large
 */
export async function drawPicture(file: Buffer, edge: number): Promise<Pixels> {
  const drawing = await readDrawing(file)
  const { width, height } = scaledSize(drawing, Math.min(2, edge / Math.max(drawing.width, drawing.height)))
  return { data: renderDrawing(drawing, width, height, []), width, height, channels: 4 }
}
