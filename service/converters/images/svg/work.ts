import { readFile } from 'node:fs/promises'
import type { Output, Task } from '../../../catalogue/task.ts'
import { drawingSize, readDrawing } from '../../../engines/sharp/drawing.ts'
import { imageSettings } from '../write/settings.ts'
import { writeStill } from '../write/still.ts'

/** Pixels per inch of CSS, in which drawings are measured. */
const CSS_DENSITY = 96

/** SVG drawings, rendered at their own size on a screen unless the options ask for another. */
export async function convert(task: Task): Promise<Output[]> {
  const encoded = readDrawing(await readFile(task.input.path))
  const { width, height } = await drawingSize(encoded)
  const scale = (imageSettings(task.options, task.target).density ?? CSS_DENSITY) / CSS_DENSITY
  return writeStill(task, { encoded }, { drawing: { width: width * scale, height: height * scale } })
}
