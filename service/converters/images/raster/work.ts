/** AVIF, GIF, JPEG, PNG and WebP pictures and animations. */
import { readFile } from 'node:fs/promises'
import type { Output, Task } from '../../../catalogue/task.ts'
import { isApng, readApng } from '../../../engines/apng/read.ts'
import { readLimitedGrey } from '../../../engines/avif/grey.ts'
import { readAvifAnimation } from '../../../engines/avif/read.ts'
import { isWholeGif } from '../../../engines/formats/gif.ts'
import { isWholePng } from '../../../engines/formats/png.ts'
import { isComplete } from '../../../engines/heif/complete.ts'
import type { Animation } from '../../../engines/pixels.ts'
import { readAnimation } from '../../../engines/sharp/animation.ts'
import { openPicture } from '../../../engines/sharp/picture.ts'
import { type RasterKind, readHead, sniffKind } from '../../../engines/sharp/sniff.ts'
import { JobFailure } from '../../../errors.ts'
import { message } from '../../../messages/message.ts'
import type { ImageOptions } from '../options.ts'
import { holdsFrames, writeAnimation } from '../write/animation.ts'
import { DAMAGED } from '../write/damage.ts'
import { imageSettings } from '../write/settings.ts'
import { writeStill } from '../write/still.ts'

export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  const { path } = task.input
  const kind = sniffKind(await readHead(path))
  if (!kind) throw new JobFailure('jobs.corrupt_input')
  if (kind === 'heic') {
    throw new JobFailure('jobs.unsupported_input', message('picture.is_heic'))
  }
  const outputs = await convertKind(task, kind)
  if (await breaksOff(path, kind)) task.warn(DAMAGED)
  return outputs
}

async function convertKind(task: Task<ImageOptions>, kind: RasterKind): Promise<Output[]> {
  const { path } = task.input
  if (kind === 'gif' || kind === 'webp') return convertFrames(task, path)
  const settings = imageSettings(task.options)
  let animation: Animation | undefined
  if (kind === 'avif') animation = await readAvifAnimation(path)
  if (kind === 'png' && (await isApng(path))) animation = readApng(await readFile(path))
  if (animation) return writeAnimation(task, animation, settings)
  const grey = kind === 'avif' ? await readLimitedGrey(path) : undefined
  return writeStill(task, grey ?? { encoded: path }, settings)
}

/** Whether a file ends before its picture does, where its decoder says nothing of that. */
async function breaksOff(path: string, kind: RasterKind): Promise<boolean> {
  if (kind === 'gif') return !isWholeGif(await readFile(path))
  if (kind === 'avif') return !isComplete(await readFile(path))
  // A still PNG that ends early is no picture to its decoder; the frames of an animation may still be.
  return kind === 'png' && (await isApng(path)) && !isWholePng(await readFile(path))
}

/** GIF and WebP, which sharp reads frame by frame itself. */
async function convertFrames(task: Task<ImageOptions>, path: string): Promise<Output[]> {
  const settings = imageSettings(task.options)
  const { metadata } = await openPicture({ encoded: path })
  const count = metadata.pages ?? 1
  if (count < 2) return writeStill(task, { encoded: path }, settings)
  if (holdsFrames(task.target))
    return writeAnimation(task, readAnimation(path, metadata), settings, { file: path })
  return writeStill(task, { encoded: path, page: Math.min(settings.frame, count - 1) }, settings)
}
