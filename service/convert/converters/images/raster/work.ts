/** Converts AVIF, GIF, JPEG, PNG and WebP pictures and animations. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { readHead } from '../../../../shared/picture-signatures.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { checkGif, drawGif, needsOwnCanvas } from '../../../engines/pictures/animated/gif.ts'
import { isApng, readApng } from '../../../engines/pictures/apng/read.ts'
import { isWholeGif, readGif } from '../../../engines/pictures/formats/gif.ts'
import { codesBreakOff } from '../../../engines/pictures/formats/jpeg-codes.ts'
import { coloursOfPng, isWholePng, readLeading, withProfile } from '../../../engines/pictures/formats/png.ts'
import { wholeFrames } from '../../../engines/pictures/formats/webp.ts'
import { readAnimation } from '../../../engines/pictures/sharp/animation.ts'
import { openPicture } from '../../../engines/pictures/sharp/picture.ts'
import { type RasterKind, sniffKind } from '../../../engines/pictures/sharp/sniff.ts'
import { type ImageOptions, supportsFrames } from '../options.ts'
import { writeAnimation } from '../write/animation.ts'
import { DAMAGED } from '../write/damage.ts'
import { type ImageSettings, imageSettings, requireFrame } from '../write/settings.ts'
import { encodeImage } from '../write/still.ts'
import { convertAvif } from './avif.ts'

export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  if (task.options.motion === 'film') return (await import('../motion-photo/work.ts')).convert(task)
  const { path } = task.input
  const kind = sniffKind(await readHead(path))
  if (!kind) throw new JobFailure('jobs.corrupt_input')
  if (kind === 'heic') {
    throw new JobFailure('jobs.unsupported_input', message('picture.is_heic'))
  }
  if (kind === 'avif') return convertAvif(task)
  let damaged = false
  const warn: Task['warn'] = warning => {
    if (warning === DAMAGED) damaged = true
    task.warn(warning)
  }
  try {
    // sharp has threads of its own.
    const [outputs, isBroken] = await Promise.all([
      convertKind({ ...task, warn }, kind),
      breaksOff(path, kind),
    ])
    if (isBroken && !damaged) task.warn(DAMAGED)
    return outputs
  } catch (error) {
    if (!(error instanceof JobFailure && error.code === 'jobs.corrupt_input')) throw error
    const outputs = await convertRest(task, kind)
    if (!outputs) throw error
    task.warn(DAMAGED)
    return outputs
  }
}

/** Converts what can be read of a picture that its usual decoder refuses; undefined if nothing can. */
async function convertRest(task: Task<ImageOptions>, kind: RasterKind): Promise<Output[] | undefined> {
  const file = await readFile(task.input.path)
  const frames = kind === 'webp' && wholeFrames(file)
  if (frames) {
    const path = join(task.folder, 'whole-frames')
    await writeFile(path, frames)
    const outputs = await convertFrames(task, path, 'webp')
    await rm(path)
    return outputs
  }
  if (kind === 'avif' || kind === 'heic' || kind === 'tiff') return undefined
  // Skia is large, and hardly ever needed.
  const { decodePartial } = await import('../../../engines/pictures/skia/partial.ts')
  const rest = await decodePartial(file, kind)
  return rest && encodeImage(task, rest, imageSettings(task))
}

async function convertKind(task: Task<ImageOptions>, kind: RasterKind): Promise<Output[]> {
  const { path } = task.input
  if (kind === 'gif' || kind === 'webp') return convertFrames(task, path, kind)
  const settings = imageSettings(task)
  return kind === 'png' ? convertPng(task, settings) : encodeImage(task, { encoded: path }, settings)
}

async function convertPng(task: Task<ImageOptions>, settings: ImageSettings): Promise<Output[]> {
  const { path } = task.input
  const { icc, ...colours } = coloursOfPng(await readLeading(path))
  const animated = await isApng(path)
  if (!animated) requireFrame(settings, 1)
  if (!icc && !animated) return encodeImage(task, { encoded: path }, settings)
  const file = await readFile(path)
  const encoded = icc ? withProfile(file, icc) : file
  const animation = animated ? readApng(encoded) : undefined
  if (animation) return writeAnimation(task, animation, settings)
  return encodeImage(task, { encoded, ...colours }, settings)
}

/** Whether a file is truncated or damaged, if its decoder does not report that. */
async function breaksOff(path: string, kind: RasterKind): Promise<boolean> {
  if (kind === 'jpg') return codesBreakOff(await readFile(path))
  if (kind === 'gif') return !isWholeGif(await readFile(path))
  // A truncated still PNG is refused by its decoder; frames of an animation may still be complete.
  return kind === 'png' && (await isApng(path)) && !isWholePng(await readFile(path))
}

/** GIF and WebP, which sharp reads frame by frame itself. */
async function convertFrames(
  task: Task<ImageOptions>,
  path: string,
  kind: 'gif' | 'webp',
): Promise<Output[]> {
  const settings = imageSettings(task)
  const gif = kind === 'gif' ? readGif(await readFile(path)) : undefined
  if (gif) checkGif(gif)
  const { metadata } = await openPicture({ encoded: path })
  if (gif && needsOwnCanvas(gif)) return writeAnimation(task, drawGif(gif, metadata.loop ?? 0), settings)
  const count = metadata.pages ?? 1
  requireFrame(settings, count)
  if (count < 2) return encodeImage(task, { encoded: path }, settings)
  if (supportsFrames(task.target))
    return writeAnimation(task, readAnimation(path, metadata), settings, { file: path })
  return encodeImage(task, { encoded: path, page: settings.frame }, settings)
}
