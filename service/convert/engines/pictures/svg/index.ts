import { scaledSize } from '../../common/rectangle.ts'
import type { Pixels } from '../pixels.ts'
import { readVectorGraphic } from './prepare.ts'
import { renderVectorGraphic } from './render.ts'

export { readVectorGraphic, renderVectorGraphic }

/**
 * Draws an SVG without its own fonts, at twice its own size.
 * @param edge the longest in pixels
 * @throws JobFailure corrupt_input, too_large
 */
export async function drawPicture(file: Buffer, edge: number): Promise<Pixels> {
  const vectorGraphic = await readVectorGraphic(file)
  const { width, height } = scaledSize(
    vectorGraphic,
    Math.min(2, edge / Math.max(vectorGraphic.width, vectorGraphic.height)),
  )
  return { data: renderVectorGraphic(vectorGraphic, width, height, []), width, height, channels: 4 }
}
