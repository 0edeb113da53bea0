/** Formats whose files hold one picture, which is read whole. */
import type { Output, Task } from '../../../catalogue/task.ts'
import { decodePicture } from '../../../engines/pictures/decode.ts'
import { release } from '../../../engines/pictures/pixels.ts'
import type { ImageOptions } from '../options.ts'
import { imageSettings } from '../write/settings.ts'
import { encodeImage } from '../write/still.ts'

export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  const { input, source, warn } = task
  const picture = await decodePicture(input.path, { kind: source, warn })
  task.progress(0.5, 'converting')
  const outputs = await encodeImage(task, picture, imageSettings(task))
  if ('data' in picture) release(picture)
  return outputs
}
