/** Reads and writes animations with sharp, a few frames in memory at a time. */

import { type FileHandle, open } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { checkFramePixels } from '../../common/limits.ts'
import type { Size } from '../../common/rectangle.ts'
import { directoryBytes, type IfdEntry, TiffWriter } from '../formats/tiff.ts'
import { type Animation, isOpaque } from '../pixels.ts'
import { smallest } from './encode.ts'
import { checkEdges, type EncodeSettings, encodings } from './encodings.ts'
import { sharpFailure } from './failure.ts'
import { type Metadata, sharp } from './load.ts'
import { rgbaOf } from './samples.ts'

/** Frames are decoded in groups of about this many bytes; each group starts again from the first frame. */
const GROUP_BYTES = 96_000_000

/** Maximum size of all frames together: the range of the staging file's 32-bit offsets. */
const STAGED_BYTES_LIMIT = 4_000_000_000

/**
 * Delays as people see them: every browser shows frames of 10 ms or less for 100 ms, and files are made with that in
 * mind.
 */
export const visibleDelay = (delay: number) => (delay <= 10 ? 100 : delay)

/**
 * The animation in a GIF or WebP file.
 * @throws JobFailure too_large; while reading frames also corrupt_input
 */
export function readAnimation(path: string, metadata: Metadata): Animation {
  const {
    width,
    pages: frameCount = 1,
    pageHeight: height = metadata.height,
    delay = [],
    loop = 0,
  } = metadata
  checkFramePixels(width, height)
  const bytes = width * height * 4
  const group = Math.max(1, Math.floor(GROUP_BYTES / bytes))
  async function* frames() {
    for (let page = 0; page < frameCount; page += group) {
      const pages = Math.min(group, frameCount - page)
      const strip = await rgbaOf(sharp(path, { page, pages, limitInputPixels: false }))
      for (let i = 0; i < pages; i++) yield strip.subarray(i * bytes, (i + 1) * bytes)
    }
  }
  const delays = Array.from({ length: frameCount }, (_, i) => visibleDelay(delay[i] ?? 100))
  return { width, height, frameCount, frames: frames(), delays, loop }
}

/** Scales each frame separately, so that none bleeds into the next. */
export function resizeAnimation(animation: Animation, size: Size): Animation {
  const { width, height } = animation
  async function* frames() {
    for await (const frame of animation.frames) {
      yield await sharp(frame, { raw: { width, height, channels: 4 } })
        .resize({ ...size, fit: 'fill' })
        .raw()
        .toBuffer()
    }
  }
  return { ...animation, ...size, frames: frames() }
}

/**
 * Frames on disk: RGBA, one after the other from `offset`. The file is also a TIFF that sharp can read frame by frame.
 */
export interface StagedFrames {
  path: string
  offset: number
  width: number
  height: number
  frameCount: number
  /** Whether no pixel of any frame is transparent. */
  opaque: boolean
}

/**
 * Writes an animation's frames to a file, so that encoders that need all of them at once do not hold them in memory.
 * @throws JobFailure too_large
 */
export async function stageFrames(animation: Animation, path: string): Promise<StagedFrames> {
  const { width, height } = animation
  const bytes = width * height * 4
  const offset = 8
  const checkSize = (frames: number) => {
    if (offset + frames * (bytes + DIRECTORY_BYTES) > STAGED_BYTES_LIMIT) {
      throw new JobFailure('jobs.too_large', message('animation.too_many_pixels'))
    }
  }
  // An oversized animation is refused before the first frame is drawn.
  checkSize(animation.frameCount)
  let frameCount = 0
  let opaque = true
  await using file = await open(path, 'w')
  await file.write(Buffer.alloc(offset))
  for await (const frame of animation.frames) {
    frameCount++
    checkSize(frameCount)
    if (frame.length !== bytes) throw new JobFailure('jobs.corrupt_input')
    opaque &&= isOpaque(frame)
    await file.write(frame)
  }
  if (frameCount === 0) throw new JobFailure('jobs.corrupt_input', message('animation.no_frames'))
  await writeDirectories(file, { offset, width, height, frameCount })
  return { path, offset, width, height, frameCount, opaque }
}

const tiff = new TiffWriter(true)

/** The entries of a frame's directory (TIFF 6.0): RGBA, 8 bit, uncompressed, alpha not premultiplied. */
const frameEntries = (width: number, height: number, offset: number): IfdEntry[] => [
  tiff.entry(256, 4, width),
  tiff.entry(257, 4, height),
  tiff.entry(258, 3, 8, 8, 8, 8),
  tiff.entry(259, 3, 1),
  tiff.entry(262, 3, 2),
  tiff.entry(273, 4, offset),
  tiff.entry(277, 3, 4),
  tiff.entry(278, 4, height),
  tiff.entry(279, 4, width * height * 4),
  tiff.entry(338, 3, 2),
]

const DIRECTORY_BYTES = directoryBytes(frameEntries(0, 0, 0))

/** Writes a directory for each frame after all of them, and the header that points to the first. */
async function writeDirectories(
  file: FileHandle,
  staged: Omit<StagedFrames, 'path' | 'opaque'>,
): Promise<void> {
  const { offset, width, height, frameCount } = staged
  const bytes = width * height * 4
  const start = offset + bytes * frameCount
  const directories = Array.from({ length: frameCount }, (_, index) => {
    const at = start + index * DIRECTORY_BYTES
    const next = index + 1 < frameCount ? at + DIRECTORY_BYTES : 0
    return tiff.directory(frameEntries(width, height, offset + index * bytes), at, next)
  })
  const all = Buffer.concat(directories)
  await file.write(all, 0, all.length, start)
  const header = tiff.header(start)
  await file.write(header, 0, header.length, 0)
}

/**
 * Delays in the hundredths of a second that GIF uses: rounding errors do not accumulate, and no delay is shorter than
 * the 20 ms below which browsers slow down.
 */
export function gifDelays(delays: readonly number[]): number[] {
  let wanted = 0
  let written = 0
  return delays.map(delay => {
    wanted += delay
    const rounded = Math.max(2, Math.round((wanted - written) / 10)) * 10
    written += rounded
    return rounded
  })
}

/**
 * Encodes an animation with sharp, which holds only a frame or two at once.
 * @param source the frames staged on disk, or a GIF or WebP file as it is
 * @throws JobFailure too_large, corrupt_input
 */
export async function encodeAnimation(
  source: StagedFrames | { path: string; width: number; height: number },
  target: 'gif' | 'webp',
  settings: EncodeSettings,
  path: string,
): Promise<void> {
  checkEdges(target, source.width, source.height)
  const encode = { ...settings, animation: settings.animation && within(settings.animation) }
  const write = async (encoding: ReturnType<typeof encodings>[number], to: string) => {
    let pipeline = sharp(source.path, { pages: -1, limitInputPixels: false }).toColourspace('srgb')
    if ('opaque' in source && source.opaque) pipeline = pipeline.removeAlpha()
    if (settings.keepsProfile) pipeline = pipeline.keepMetadata()
    await encoding(pipeline)
      .toFile(to)
      .catch(error => {
        throw sharpFailure(error)
      })
  }
  await smallest(encodings(target, encode), write, path)
}

/** Maximum duration of a frame in milliseconds, and maximum number of repeats, in sharp. */
const TIMING_LIMIT = 65_535

const within = ({ delays, loop }: { delays: number[]; loop: number }) => ({
  delays: delays.map(delay => Math.min(delay, TIMING_LIMIT)),
  loop: Math.min(loop, TIMING_LIMIT),
})
