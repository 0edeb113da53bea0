import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { present } from '../../../catalogue/options.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { writeApng } from '../../../engines/pictures/apng/write.ts'
import { writeAvifAnimation } from '../../../engines/pictures/avif/write.ts'
import type { Animation } from '../../../engines/pictures/pixels.ts'
import {
  encodeAnimation,
  gifDelays,
  resizeAnimation,
  stageFrames,
} from '../../../engines/pictures/sharp/animation.ts'
import { checkEdges } from '../../../engines/pictures/sharp/encodings.ts'
import { supportsFrames } from '../options.ts'
import { afterEdits, editedAnimation, hasEdits } from './edits.ts'
import { metadataOf, writeMetadata } from './metadata.ts'
import { type ImageSettings, requireFrame, targetSize } from './settings.ts'
import { encodeImage, encodeSettings, outputPath } from './still.ts'

/**
 * Writes an animation in the task's target format: all frames if the format supports that (gif, webp, apng, avif),
 * otherwise the one frame in the settings.
 * @param file a file from which sharp can read the same animation, which saves decoding its frames first
 * @throws JobFailure corrupt_input, too_large, engine_missing
 */
export async function writeAnimation(
  task: Task,
  original: Animation,
  settings: ImageSettings,
  { file: whole }: { file?: string } = {},
): Promise<Output[]> {
  const { target } = task
  // A single frame is a still picture.
  const isStill = original.frameCount === 1 && (target === 'webp' || target === 'avif')
  if (!supportsFrames(target) || isStill) return writeFrame(task, original, settings)
  const file = hasEdits(settings) ? undefined : whole
  const animation = await editedAnimation(task, original, settings)
  if (settings.most !== undefined) task.warn(message('animation.size_unused'))
  const path = outputPath(task)
  const described = metadataOf({ encoded: task.input.path }, settings)
  const blocks = await described.catch(() => undefined)
  const size = targetSize(animation, afterEdits(settings).resize)
  const scaled = size ? resizeAnimation(animation, size) : animation
  const follow = (share: number) =>
    following(scaled, done => task.progress((share * done) / scaled.frameCount))
  if (target === 'apng') {
    await writeApng(follow(1), path, task.cores)
    await writeMetadata(path, blocks)
    return [{ path }]
  }
  checkEdges(target, scaled.width, scaled.height)
  const encode = encodeSettings(settings)
  const { loop, width, height } = scaled
  const delays = scaled.delays.map(Math.round)
  if (file && !size && target !== 'avif') {
    const timing = { delays: target === 'gif' ? gifDelays(delays) : delays, loop }
    await encodeAnimation({ path: file, width, height }, target, { ...encode, animation: timing }, path)
    await writeMetadata(path, blocks)
    return [{ path }]
  }
  const stage = join(task.folder, 'frames.tiff')
  try {
    const staged = await stageFrames(follow(0.3), stage)
    const shown = delays.slice(0, staged.frameCount)
    if (target === 'avif') {
      const lossless = settings.smart === 'lossless'
      const avif = { quality: present(settings.quality), lossless, delays: shown, loop }
      const onProgress = (fraction: number) => task.progress(0.3 + 0.7 * fraction)
      await writeAvifAnimation(staged, path, avif, { onProgress })
    } else {
      const timing = { delays: target === 'gif' ? gifDelays(shown) : shown, loop }
      await encodeAnimation(staged, target, { ...encode, animation: timing }, path)
    }
  } finally {
    await rm(stage, { force: true })
  }
  if (target === 'webp') await writeMetadata(path, blocks)
  return [{ path }]
}

async function writeFrame(task: Task, animation: Animation, settings: ImageSettings): Promise<Output[]> {
  const { width, height } = animation
  let data: Uint8Array | undefined
  let index = 0
  for await (const frame of animation.frames) {
    data = frame
    if (index++ === settings.frame) break
  }
  if (!data) throw new JobFailure('jobs.corrupt_input', message('animation.no_frames'))
  requireFrame(settings, index)
  return encodeImage(task, { data, width, height, channels: 4 }, settings)
}

/** The same animation, reporting how many of its frames have been read. */
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
