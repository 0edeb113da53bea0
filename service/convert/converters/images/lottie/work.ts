import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { present } from '../../../catalogue/options.ts'
import type { Measure, Output, Task, TaskInput } from '../../../catalogue/task.ts'
import { scaledSize } from '../../../engines/common/rectangle.ts'
import { encodeWebm } from '../../../engines/pictures/animated/webm.ts'
import type { Animation } from '../../../engines/pictures/pixels.ts'
import { type LottieDocument, readLottie } from '../../../engines/pictures/skottie/document.ts'
import { type LottiePlayer, openPlayer } from '../../../engines/pictures/skottie/player.ts'
import { resampleFrames, type Timing } from '../../../engines/pictures/skottie/timing.ts'
import { writeAnimation } from '../write/animation.ts'
import { type ImageSettings, imageSettings, requireFrame, targetSize } from '../write/settings.ts'
import { encodeImage, outputPath } from '../write/still.ts'
import type { LottieOptions } from './options.ts'

/** Maximum number of frames in an output: over three minutes at 30 a second. */
const FRAME_LIMIT = 6000
/** Maximum number of pixels in all frames of an output; above it encoding would take longer than a job may. */
const TOTAL_PIXEL_LIMIT = 6e9

interface LottieSettings extends ImageSettings {
  /** CSS colour, or undefined for transparency. */
  paint: string | undefined
  /** Words or a number that select the frame of a still picture; absent if the target is animated. */
  choice?: string | undefined
  /** Frames per second; absent for the animation's own. */
  fps?: number | undefined
  /** Number of times to play, 0 endlessly; absent if the target does not support it. */
  loop?: number | undefined
}

const settingsOf = ({ options: given, warn }: Task<LottieOptions>): LottieSettings => {
  const { background, frame, fps, loop, ...options } = given
  const paint = background === 'transparent' ? undefined : background
  return {
    ...imageSettings({ options: { ...options, background: paint }, warn }),
    paint,
    choice: frame,
    fps,
    loop,
  }
}

/**
 * Converts every animation of the file to a separate output, drawn at the requested size.
 * @throws JobFailure corrupt_input, too_large, too_many_pages, engine_missing
 */
export async function convert(task: Task<LottieOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  const documents = await read(task.input)
  warnOf(documents, task)
  const settings = settingsOf(task)
  const outputs: Output[] = []
  for (const [index, document] of documents.entries()) {
    const folder = join(task.folder, String(index))
    await mkdir(folder)
    const own: Task = {
      ...task,
      folder,
      progress: fraction => task.progress((index + fraction) / documents.length, 'converting'),
    }
    outputs.push(...(await convertOne(own, document, settings)))
  }
  return outputs
}

async function convertOne(task: Task, document: LottieDocument, settings: LottieSettings): Promise<Output[]> {
  const { width, height } = targetSize(document, settings.resize, true) ?? scaledSize(document, 1)
  const player = openPlayer(document, width, height, settings.paint)
  // It is already drawn at the requested size.
  const drawn = { ...settings, resize: null }
  if (settings.choice !== undefined) {
    const data = player.frame(chosenFrame(settings.choice, document))
    return encodeImage(task, { data, width, height, channels: 4 }, drawn)
  }
  const timing = timingOf(document, task.target, settings.fps)
  if (timing.positions.length * width * height > TOTAL_PIXEL_LIMIT) {
    throw new JobFailure('jobs.too_large', message('lottie.result_too_large'))
  }
  const animation = animationOf(player, timing, task.target === 'webm' ? 0 : present(settings.loop))
  return task.target === 'webm'
    ? writeWebm(task, animation, timing, settings)
    : writeAnimation(task, animation, drawn)
}

async function writeWebm(
  task: Task,
  animation: Animation,
  { fps }: Timing,
  { quality: given, smart, paint }: LottieSettings,
): Promise<Output[]> {
  const quality = present(given)
  const path = outputPath(task)
  await encodeWebm(animation, {
    output: path,
    fps,
    quality: smart === 'lossy' ? Math.min(quality, 40) : quality,
    lossless: smart === 'lossless',
    opaque: paint !== undefined,
    onProgress: task.progress,
  })
  return [{ path }]
}

async function read(input: TaskInput): Promise<LottieDocument[]> {
  // The readers' own limits on the content are lower; this one keeps a huge file from being read at all.
  if (input.bytes > 128 * 2 ** 20) throw new JobFailure('jobs.too_large')
  return readLottie(await readFile(input.path))
}

function warnOf(documents: LottieDocument[], task: Task): void {
  if (documents.some(document => document.expressions)) {
    task.warn(message('lottie.expressions_not_run'))
  }
  if (documents.some(document => document.missingImages > 0)) {
    task.warn(message('lottie.pictures_left_out'))
  }
}

/** GIF uses hundredths of a second, which do not allow rates above 50; others use milliseconds. */
function timingOf({ frames, fps: own }: LottieDocument, target: string, wanted?: number): Timing {
  const [tick, most] = target === 'gif' ? [10, 50] : [1, 60]
  const fps = wanted ?? Math.min(own, most)
  if ((frames / own) * fps > FRAME_LIMIT) {
    throw new JobFailure('jobs.too_many_pages', message('lottie.result_too_long', { frames: FRAME_LIMIT }))
  }
  return resampleFrames(frames, own, fps, tick)
}

function animationOf(player: LottiePlayer, timing: Timing, loop: number): Animation {
  function* frames() {
    for (const position of timing.positions) yield player.frame(position)
  }
  const { width, height } = player
  return { width, height, frameCount: timing.positions.length, frames: frames(), delays: timing.delays, loop }
}

/**
 * The frame selected by the `frame` option, from 0.
 * @throws JobFailure unsupported_input if it is beyond the last one
 */
function chosenFrame(choice: string, document: LottieDocument): number {
  const last = document.frames - 1
  if (choice === 'auto') return firstVisible(document)
  if (choice === 'first') return 0
  if (choice === 'middle') return Math.floor(document.frames / 2)
  if (choice === 'last') return last
  const frame = Number(choice) - 1
  requireFrame({ frame }, document.frames)
  return frame
}

/** Longest edge of frames that are only inspected, and how many there are at most. */
const PREVIEW_PIXELS = 256
const PREVIEW_LIMIT = 600

/**
 * The first frame with something opaque in it, since many animations begin empty and fade in; otherwise the first with
 * anything at all; otherwise the first. In a very long animation, only some frames are checked.
 */
function firstVisible(document: LottieDocument): number {
  const scale = Math.min(1, PREVIEW_PIXELS / Math.max(document.width, document.height))
  const { width, height } = scaledSize(document, scale)
  const preview = openPlayer(document, width, height)
  let faint: number | undefined
  const step = Math.max(1, Math.ceil(document.frames / PREVIEW_LIMIT))
  for (let position = 0; position < document.frames; position += step) {
    const strongest = maxAlpha(preview.frame(position))
    if (strongest >= 128) return position
    if (strongest > 0) faint ??= position
  }
  return faint ?? 0
}

function maxAlpha(frame: Uint8Array): number {
  let strongest = 0
  for (let at = 3; at < frame.length; at += 4) strongest = Math.max(strongest, frame[at]!)
  return strongest
}

/** Counts the frames of all animations of a file. */
export async function measure(input: TaskInput): Promise<Measure> {
  const documents = await read(input)
  return { pages: documents.reduce((sum, document) => sum + document.frames, 0) }
}
