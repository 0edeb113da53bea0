import { join } from 'node:path'
import { formats, isFormatKey } from '../../catalogue/formats.ts'
import type { Output, Task } from '../../catalogue/task.ts'
import type { Animation, Pixels } from '../../engines/pixels.ts'
import { type Encoder, encodePicture } from '../../engines/sharp/encode.ts'
import { type Encoded, openPicture } from '../../engines/sharp/picture.ts'
import { type ImageSettings, imageSettings, targetSize } from './settings.ts'

export type { Encoded } from '../../engines/sharp/picture.ts'

export interface StillExtra {
  /** Number of this output among several, from 0; keeps their files apart. */
  index?: number
  /** File name for people, where numbering the input's stem is not enough. */
  name?: string
  /** A drawing, which may be rendered at any size. */
  scalable?: boolean
}

const outputPath = (task: Task, index = 0): string => {
  const suffix = isFormatKey(task.target) ? formats[task.target].suffixes[0] : task.target
  return join(task.folder, `output-${index}.${suffix}`)
}

/**
 * Writes one picture as the task's target, as its options ask: size, colour, background, metadata, quality.
 * Pixels are colour-managed by their profile and turned by their orientation.
 * @throws JobFailure corrupt_input, too_large, unsupported_input
 */
export async function writeStill(
  task: Task,
  source: Pixels | Encoded,
  extra: StillExtra = {},
): Promise<Output[]> {
  const settings = imageSettings(task.options, task.target)
  const path = outputPath(task, extra.index)
  const picture = await openPicture(source)
  const size = targetSize(picture, settings.resize, extra.scalable)
  await encodePicture(picture, task.target as Encoder, encodeSettings(settings, size), path, () =>
    task.warn('The picture is slightly damaged. What could be read of it was converted.'),
  )
  return [extra.name ? { path, name: extra.name } : { path }]
}

const encodeSettings = (settings: ImageSettings, size: { width: number; height: number } | undefined) => ({
  quality: settings.quality,
  smart: settings.smart,
  keepMetadata: !settings.stripMetadata,
  background: settings.background,
  size,
})

/**
 * Writes an animation as the task's target: every frame where the format holds frames (gif, webp, apng, avif),
 * else the one frame the `frame` option names.
 * @throws JobFailure
 */
export async function writeAnimation(task: Task, animation: Animation): Promise<Output[]> {
  const settings = imageSettings(task.options, task.target)
  const { width, height } = animation
  const wanted = Math.min(settings.frame, animation.frameCount - 1)
  let index = 0
  for await (const data of animation.frames) {
    if (index++ === wanted) return writeStill(task, { data, width, height, channels: 4 })
  }
  return []
}
