import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scaledSize } from '../../common/rectangle.ts'
import type { Pixels } from '../pixels.ts'
import { readVectorGraphic, type VectorGraphic } from './prepare.ts'
import { renderVectorGraphic } from './render.ts'

export { readVectorGraphic, renderVectorGraphic }

/** Writes the fonts of a document into a folder in this one, since the renderer loads fonts from files. @returns their paths */
export async function fontFiles({ fonts }: VectorGraphic, folder: string): Promise<string[]> {
  if (fonts.length === 0) return []
  const own = await mkdtemp(join(folder, 'fonts-'))
  const paths = fonts.map((_, index) => join(own, `${index}.ttf`))
  for (const [index, path] of paths.entries()) await writeFile(path, fonts[index]!)
  return paths
}

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
