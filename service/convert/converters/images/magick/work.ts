/** Formats of cameras, games and video that libvips does not read. */
import type { Output, Task } from '../../../catalogue/task.ts'
import { type MagickSource, readPicture } from '../../../engines/pictures/magick/read.ts'
import type { ImageOptions } from '../options.ts'
import { imageConverter } from '../write/still-of.ts'

export const convert = (task: Task<ImageOptions>): Promise<Output[]> =>
  imageConverter(file => readPicture(file, task.source as MagickSource))(task)
