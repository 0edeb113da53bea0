import { writeFile } from 'node:fs/promises'
import { message } from '../../../../shared/messages/message.ts'
import type { Task } from '../../../catalogue/task.ts'
import { renderPicture } from '../../../engines/pictures/sharp/encode.ts'
import type { Picture } from '../../../engines/pictures/sharp/picture.ts'
import { DAMAGED } from './damage.ts'
import type { ImageSettings } from './settings.ts'

/**
 * Draws a picture as shapes of one colour each.
 * @param size the size in pixels that the drawing states
 * @throws JobFailure corrupt_input, unsupported_input
 */
export async function writeTraced(
  task: Task,
  picture: Picture,
  { width, height }: { width: number; height: number },
  { detail = 'balanced', colours }: ImageSettings,
  path: string,
): Promise<void> {
  // The tracer is a library of 14 MB that nothing else needs.
  const { tracedSize, tracePicture } = await import('../../../engines/pictures/vectorizer/trace.ts')
  const pixels = await renderPicture(picture, tracedSize({ width, height }), () => task.warn(DAMAGED))
  const vectorized = await tracePicture(pixels, { width, height }, { detail, colours })
  if (vectorized.busy) task.warn(message('picture.not_flat'))
  if (vectorized.sheer) task.warn(message('picture.sheer'))
  await writeFile(path, vectorized.svg)
}
