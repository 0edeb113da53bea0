import { readFile } from 'node:fs/promises'
import type { Output, Task } from '../../../catalogue/task.ts'
import type { Pixels } from '../../../engines/pictures/pixels.ts'
import type { ImageOptions } from '../options.ts'
import { imageSettings } from './settings.ts'
import { encodeImage } from './still.ts'

/**
 * The work of a format whose files hold one picture.
 * @param read its pixels; parts that are lost are warned of
 */
export const imageConverter =
  (read: (file: Buffer, warn: Task['warn']) => Pixels | Promise<Pixels>) =>
  async (task: Task<ImageOptions>): Promise<Output[]> => {
    task.progress(0, 'preparing')
    const pixels = await read(await readFile(task.input.path), task.warn)
    task.progress(0.5, 'converting')
    return encodeImage(task, pixels, imageSettings(task))
  }
