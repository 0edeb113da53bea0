import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { formats, isFormatKey } from '../../catalogue/formats.ts'
import type { Output, Task } from '../../catalogue/task.ts'
import { writeApng } from '../../engines/apng/write.ts'
import { writeAvifAnimation } from '../../engines/avif/write.ts'
import type { Animation, Pixels } from '../../engines/pixels.ts'
import { encodeAnimation, gifDelays, resizeAnimation, stageFrames } from '../../engines/sharp/animation.ts'
import { checkEdges, type Encoder, type EncodeSettings, encodePicture } from '../../engines/sharp/encode.ts'
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

/** Path in the task's folder for output number `index`. */
export const outputPath = (task: Task, index = 0): string => {
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
  await encodePicture(picture, task.target as Encoder, { ...encodeSettings(settings), size }, path, () =>
    task.warn('The picture is slightly damaged. What could be read of it was converted.'),
  )
  return [extra.name ? { path, name: extra.name } : { path }]
}

const encodeSettings = (settings: ImageSettings): EncodeSettings => ({
  quality: settings.quality,
  smart: settings.smart,
  keepMetadata: !settings.stripMetadata,
  background: settings.background,
})

/**
 * Writes an animation as the task's target: every frame where the format holds frames (gif, webp, apng, avif),
 * else the one frame the `frame` option names.
 * @throws JobFailure corrupt_input, too_large, engine_missing
 */
export async function writeAnimation(task: Task, animation: Animation): Promise<Output[]> {
  const settings = imageSettings(task.options, task.target)
  if (!animated.has(task.target)) return writeFrame(task, animation, settings.frame)
  const path = outputPath(task)
  const size = targetSize(animation, settings.resize)
  const scaled = size ? resizeAnimation(animation, size) : animation
  const { frameCount, loop } = scaled
  const counted = (share: number) => counting(scaled, done => task.progress((share * done) / frameCount))
  if (task.target === 'apng') {
    await writeApng(counted(1), path)
    return [{ path }]
  }
  if (task.target !== 'apng') checkEdges(task.target as Encoder, scaled.width, scaled.height)
  const stage = join(task.folder, 'frames.tiff')
  try {
    const staged = await stageFrames(counted(0.3), stage)
    const delays = scaled.delays.slice(0, staged.frameCount)
    if (task.target === 'avif') {
      const lossless = settings.smart === 'lossless'
      const onProgress = (fraction: number) => task.progress(0.3 + 0.7 * fraction)
      const avif = { quality: settings.quality, lossless, delays, loop }
      await writeAvifAnimation(staged, path, avif, { signal: task.signal, onProgress })
    } else {
      const target = task.target as 'gif' | 'webp'
      const timing = { delays: target === 'gif' ? gifDelays(delays) : delays.map(Math.round), loop }
      await encodeAnimation(staged, target, { ...encodeSettings(settings), animation: timing }, path)
    }
  } finally {
    await rm(stage, { force: true })
  }
  return [{ path }]
}

/** Formats that hold frames. */
const animated = new Set(['apng', 'avif', 'gif', 'webp'])

async function writeFrame(task: Task, animation: Animation, wanted: number): Promise<Output[]> {
  const { width, height } = animation
  const last = Math.min(wanted, animation.frameCount - 1)
  let data: Uint8Array | undefined
  let index = 0
  for await (const frame of animation.frames) {
    data = frame
    if (index++ === last) break
  }
  if (!data) return []
  return writeStill(task, { data, width, height, channels: 4 })
}

/** The same animation, telling how many of its frames have been taken. */
function counting(animation: Animation, onFrame: (done: number) => void): Animation {
  async function* frames() {
    let done = 0
    for await (const frame of animation.frames) {
      yield frame
      onFrame(++done)
    }
  }
  return { ...animation, frames: frames() }
}
