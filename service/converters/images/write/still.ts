import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { formats, isFormatKey } from '../../../catalogue/formats.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { writeApng } from '../../../engines/apng/write.ts'
import { writeAvifAnimation } from '../../../engines/avif/write.ts'
import { writeBmp } from '../../../engines/bmp/write.ts'
import { writePdf } from '../../../engines/image-pdf/document.ts'
import type { Animation, Pixels } from '../../../engines/pixels.ts'
import { encodeAnimation, gifDelays, resizeAnimation, stageFrames } from '../../../engines/sharp/animation.ts'
import {
  checkEdges,
  type Encoder,
  type EncodeSettings,
  encodePicture,
  renderPicture,
} from '../../../engines/sharp/encode.ts'
import { type Encoded, openPicture } from '../../../engines/sharp/picture.ts'
import { JobFailure } from '../../../errors.ts'
import { DAMAGED } from './damage.ts'
import { writeIcon } from './icon.ts'
import { pdfPage } from './pdf-page.ts'
import { type ImageSettings, imageSettings, targetSize } from './settings.ts'

export type { Encoded } from '../../../engines/sharp/picture.ts'

export interface StillExtra {
  /** Number of this output among several, from 0; keeps their files apart. */
  index?: number
  /** File name for people, where numbering the input's stem is not enough. */
  name?: string
  /** Own size in pixels of a drawing, which can be rendered at any other. */
  drawing?: { width: number; height: number }
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
  const { target } = task
  const settings = imageSettings(task.options, target)
  const path = outputPath(task, extra.index)
  if (target === 'pdf') {
    await writePdf(path, [await pdfPage(task, source)])
    return [output(path, extra.name)]
  }
  const picture = await openPicture(settings.stripMetadata ? withoutMetadata(source) : source)
  const size = extra.drawing
    ? (targetSize(extra.drawing, settings.resize, true) ?? whole(extra.drawing))
    : targetSize(picture, settings.resize)
  if (target === 'ico') {
    await writeIcon(picture, size, settings.iconSizes, path)
  } else if (target === 'bmp') {
    await writeBmp(await renderPicture(picture, size), path, picture.metadata.density)
  } else {
    const encode = { ...encodeSettings(settings), size }
    await encodePicture(picture, target as Encoder, encode, path, () => task.warn(DAMAGED))
  }
  return [output(path, extra.name)]
}

/** Decoded pixels without what is only about them; their colours and their orientation stay right. */
function withoutMetadata(source: Pixels | Encoded): Pixels | Encoded {
  if ('encoded' in source) return source
  const { exif: _exif, xmp: _xmp, ...pixels } = source
  return pixels
}

const output = (path: string, name: string | undefined): Output => (name ? { path, name } : { path })

const whole = ({ width, height }: { width: number; height: number }) => ({
  width: Math.max(1, Math.round(width)),
  height: Math.max(1, Math.round(height)),
})

const encodeSettings = (settings: ImageSettings): EncodeSettings => ({
  quality: settings.quality,
  smart: settings.smart,
  keepMetadata: !settings.stripMetadata,
  background: settings.background,
})

/**
 * Writes an animation as the task's target: every frame where the format holds frames (gif, webp, apng, avif),
 * else the one frame the `frame` option names.
 * @param file a file sharp reads the same animation from; spares decoding its frames first
 * @throws JobFailure corrupt_input, too_large, engine_missing
 */
export async function writeAnimation(
  task: Task,
  animation: Animation,
  { file }: { file?: string } = {},
): Promise<Output[]> {
  const { target } = task
  const settings = imageSettings(task.options, target)
  if (!holdsFrames(target)) return writeFrame(task, animation, settings.frame)
  const path = outputPath(task)
  const size = targetSize(animation, settings.resize)
  const scaled = size ? resizeAnimation(animation, size) : animation
  const follow = (share: number) =>
    following(scaled, done => task.progress((share * done) / scaled.frameCount))
  if (target === 'apng') {
    await writeApng(follow(1), path)
    return [{ path }]
  }
  checkEdges(target, scaled.width, scaled.height)
  const encode = encodeSettings(settings)
  const { loop, width, height } = scaled
  const delays = scaled.delays.map(Math.round)
  if (file && !size && target !== 'avif') {
    const timing = { delays: target === 'gif' ? gifDelays(delays) : delays, loop }
    await encodeAnimation({ path: file, width, height }, target, { ...encode, animation: timing }, path)
    return [{ path }]
  }
  const stage = join(task.folder, 'frames.tiff')
  try {
    const staged = await stageFrames(follow(0.3), stage)
    const shown = delays.slice(0, staged.frameCount)
    if (target === 'avif') {
      const lossless = settings.smart === 'lossless'
      const avif = { quality: settings.quality, lossless, delays: shown, loop }
      const onProgress = (fraction: number) => task.progress(0.3 + 0.7 * fraction)
      await writeAvifAnimation(staged, path, avif, { onProgress })
    } else {
      const timing = { delays: target === 'gif' ? gifDelays(shown) : shown, loop }
      await encodeAnimation(staged, target, { ...encode, animation: timing }, path)
    }
  } finally {
    await rm(stage, { force: true })
  }
  return [{ path }]
}

/** Whether a format holds frames. */
export const holdsFrames = (target: string): target is 'apng' | 'avif' | 'gif' | 'webp' =>
  ['apng', 'avif', 'gif', 'webp'].includes(target)

async function writeFrame(task: Task, animation: Animation, wanted: number): Promise<Output[]> {
  const { width, height } = animation
  const last = Math.min(wanted, animation.frameCount - 1)
  let data: Uint8Array | undefined
  let index = 0
  for await (const frame of animation.frames) {
    data = frame
    if (index++ === last) break
  }
  if (!data) throw new JobFailure('jobs.corrupt_input', 'The animation has no frames.')
  return writeStill(task, { data, width, height, channels: 4 })
}

/** The same animation, telling how many of its frames have been taken. */
function following(animation: Animation, onFrame: (done: number) => void): Animation {
  async function* frames() {
    let done = 0
    for await (const frame of animation.frames) {
      yield frame
      onFrame(++done)
    }
  }
  return { ...animation, frames: frames() }
}
