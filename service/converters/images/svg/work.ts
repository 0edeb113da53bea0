import { readFile } from 'node:fs/promises'
import { present } from '../../../catalogue/options.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { drawingSize, readDrawing } from '../../../engines/sharp/drawing.ts'
import type { ImageOptions } from '../options.ts'
import { imageSettings } from '../write/settings.ts'
import { writeStill } from '../write/still.ts'

/** Pixels per inch of CSS, in which drawings are measured. */
const CSS_DPI = 96

/** SVG drawings, rendered at their own size on a screen unless the options ask for another. */
export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  const encoded = readDrawing(await readFile(task.input.path))
  const { width, height } = await drawingSize(encoded)
  const settings = imageSettings(task.options)
  const scale = present(settings.density) / CSS_DPI
  const drawing = { width: width * scale, height: height * scale }
  return writeStill(task, { encoded }, settings, { drawing })
}
