/** Formats of cameras, games and video that libvips does not read. */
import { readFile } from 'node:fs/promises'
import type { Output, Task } from '../../../catalogue/task.ts'
import { withoutColourSpace } from '../../../engines/pictures/formats/dds.ts'
import { withOpacity } from '../../../engines/pictures/formats/jp2.ts'
import { type MagickSource, readPicture } from '../../../engines/pictures/magick/read.ts'
import type { ImageOptions } from '../options.ts'
import { imageSettings } from '../write/settings.ts'
import { encodeImage } from '../write/still.ts'

/** The first bytes of JPEG 2000 without a container (ISO/IEC 15444-1, A.4.1). */
const CODESTREAM = Buffer.from('ff4fff51', 'hex')

/** What ImageMagick does not know about headers. */
const mended: Record<string, ((file: Buffer) => Buffer) | undefined> = {
  dds: withoutColourSpace,
  jp2: withOpacity,
}

export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  const file = await readFile(task.input.path)
  const isBare = task.source === 'jp2' && file.subarray(0, 4).equals(CODESTREAM)
  const read = mended[task.source]?.(file) ?? file
  const pixels = await readPicture(read, isBare ? 'j2k' : (task.source as MagickSource))
  task.progress(0.5, 'converting')
  return encodeImage(task, pixels, imageSettings(task))
}
