import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { present } from '../../../catalogue/options.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { writeApng } from '../../../engines/apng/write.ts'
import { writeAvifAnimation } from '../../../engines/avif/write.ts'
import type { Animation } from '../../../engines/pixels.ts'
import { encodeAnimation, gifDelays, resizeAnimation, stageFrames } from '../../../engines/sharp/animation.ts'
import { checkEdges } from '../../../engines/sharp/encode.ts'
import { JobFailure } from '../../../errors.ts'
import { message } from '../../../messages/message.ts'
import { type ImageSettings, targetSize } from './settings.ts'
import { encodeSettings, outputPath, writeStill } from './still.ts'

/**
 * Writes an animation as the task's target: every frame where the format holds frames (gif, webp, apng, avif),
 * else the one frame the settings name.
 * @param file a file sharp reads the same animation from; spares decoding its frames first
 * @throws JobFailure corrupt_input, too_large, engine_missing
 */
export async function writeAnimation(
  task: Task,
  animation: Animation,
  settings: ImageSettings,
  { file }: { file?: string } = {},
): Promise<Output[]> {
  const { target } = task
  // One frame from a file of frames is a picture.
  const isStill = animation.frameCount === 1 && (target === 'webp' || target === 'avif')
  if (!holdsFrames(target) || isStill) return writeFrame(task, animation, settings)
  const path = outputPath(task)
  const size = targetSize(animation, settings.resize)
  const scaled = size ? resizeAnimation(animation, size) : animation
  const follow = (share: number) =>
    following(scaled, done => task.progress((share * done) / scaled.frameCount))
  if (target === 'apng') {
    await writeApng(follow(1), path, task.cores)
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
  return [{ path }]
}

/** Whether a format holds frames. */
export const holdsFrames = (target: string): target is 'apng' | 'avif' | 'gif' | 'webp' =>
  ['apng', 'avif', 'gif', 'webp'].includes(target)

async function writeFrame(task: Task, animation: Animation, settings: ImageSettings): Promise<Output[]> {
  const { width, height } = animation
  const last = Math.min(settings.frame, animation.frameCount - 1)
  let data: Uint8Array | undefined
  let index = 0
  for await (const frame of animation.frames) {
    data = frame
    if (index++ === last) break
  }
  if (!data) throw new JobFailure('jobs.corrupt_input', message('animation.no_frames'))
  return writeStill(task, { data, width, height, channels: 4 }, settings)
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
