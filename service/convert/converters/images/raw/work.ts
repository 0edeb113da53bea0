import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { developRaw } from '../../../engines/pictures/libraw/index.ts'
import { release } from '../../../engines/pictures/pixels.ts'
import type { ImageOptions } from '../options.ts'
import { DAMAGED } from '../write/damage.ts'
import { imageSettings } from '../write/settings.ts'
import { encodeImage } from '../write/still.ts'

export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  const developed = await developRaw(task.input.path)
  task.progress(0.7)
  const settings = imageSettings(task)
  if ('pixels' in developed) {
    const outputs = await encodeImage(task, developed.pixels, settings)
    release(developed.pixels)
    if (!developed.complete) task.warn(DAMAGED)
    return outputs
  }
  task.warn(message('raw.preview_converted'))
  return encodeImage(task, { encoded: developed.preview }, settings)
}
