import { readFile } from 'node:fs/promises'
import type { Output, Task } from '../../../catalogue/task.ts'
import { readBmp } from '../../../engines/bmp/read.ts'
import type { ImageOptions } from '../options.ts'
import { DAMAGED } from '../write/damage.ts'
import { imageSettings } from '../write/settings.ts'
import { writeStill } from '../write/still.ts'

/** BMP pictures. */
export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  const picture = readBmp(await readFile(task.input.path))
  const outputs = await writeStill(task, picture.pixels, imageSettings(task))
  if (!picture.complete) task.warn(DAMAGED)
  return outputs
}
