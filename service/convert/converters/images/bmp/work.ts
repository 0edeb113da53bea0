import { readFile } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { readBmp } from '../../../engines/pictures/bmp/read.ts'
import { sniffKind } from '../../../engines/pictures/sharp/sniff.ts'
import type { ImageOptions } from '../options.ts'
import { DAMAGED } from '../write/damage.ts'
import { imageSettings } from '../write/settings.ts'
import { encodeImage } from '../write/still.ts'

/** BMP pictures. */
export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  const picture = readBmp(await readFile(task.input.path))
  const settings = imageSettings(task)
  if ('encoded' in picture) {
    const kind = sniffKind(Buffer.from(picture.encoded.subarray(0, 64)))
    if (kind !== 'jpg' && kind !== 'png') throw new JobFailure('jobs.corrupt_input')
    return encodeImage(task, picture, settings)
  }
  const outputs = await encodeImage(task, picture.pixels, settings)
  if (!picture.complete) task.warn(DAMAGED)
  return outputs
}
