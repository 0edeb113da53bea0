/** Radiance pictures. */
import { readFile } from 'node:fs/promises'
import type { Output, Task } from '../../../catalogue/task.ts'
import { readHdr } from '../../../engines/hdr/read.ts'
import type { ImageOptions } from '../options.ts'
import { imageSettings } from '../write/settings.ts'
import { writeStill } from '../write/still.ts'

export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  const pixels = readHdr(await readFile(task.input.path))
  task.progress(0.5, 'converting')
  return writeStill(task, pixels, imageSettings(task))
}
