import { readFile } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { readAvifAnimation } from '../../../engines/pictures/avif/read.ts'
import { readStill } from '../../../engines/pictures/avif/still.ts'
import { gainMapIn } from '../../../engines/pictures/heif/gain-map.ts'
import { corrupt, isShortened } from '../../../engines/pictures/heif/items.ts'
import { isComplete } from '../../../engines/pictures/heif/picture.ts'
import type { ImageOptions } from '../options.ts'
import { writeAnimation } from '../write/animation.ts'
import { DAMAGED } from '../write/damage.ts'
import { imageSettings, requireFrame } from '../write/settings.ts'
import { encodeImage } from '../write/still.ts'

/** Converts AVIF pictures and animations. */
export async function convertAvif(task: Task<ImageOptions>): Promise<Output[]> {
  const { path } = task.input
  const settings = imageSettings(task)
  const animation = await readAvifAnimation(path, () => task.warn(DAMAGED))
  if (animation) return writeAnimation(task, animation, settings)
  requireFrame(settings, 1)
  const file = await readFile(path)
  if (isShortened(file)) throw new JobFailure('jobs.unsupported_input')
  if (!isComplete(file)) throw corrupt()
  const still = { ...(await readStill(file, path)), ...(await gainMapIn(path)) }
  return encodeImage(task, still, settings)
}
