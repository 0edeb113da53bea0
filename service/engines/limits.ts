/** How large pictures and animations may be, whatever engine reads them. */
import { JobFailure } from '../errors.ts'
import { message } from '../messages/message.ts'

const MEGAPIXEL = 1_000_000

/** Most pixels of a picture. */
export const PIXEL_LIMIT = 400 * MEGAPIXEL

/** Most pixels of a frame: readers of animations hold two or three of them at once. */
export const FRAME_PIXEL_LIMIT = 64 * MEGAPIXEL

/** Most frames of an animation. */
const FRAME_LIMIT = 20_000

export const megapixels = (pixels: number): number => Math.round(pixels / MEGAPIXEL)

export const tooManyPixels = (): JobFailure =>
  new JobFailure(
    'jobs.too_large',
    message('picture.too_many_pixels', { megapixels: megapixels(PIXEL_LIMIT) }),
  )

/** @throws JobFailure too_large for a picture of more than `PIXEL_LIMIT` pixels */
export function checkPixels(width: number, height: number): void {
  if (width * height > PIXEL_LIMIT) throw tooManyPixels()
}

/** @throws JobFailure too_large for a frame of more than `FRAME_PIXEL_LIMIT` pixels */
export function checkFramePixels(width: number, height: number): void {
  if (width * height <= FRAME_PIXEL_LIMIT) return
  throw new JobFailure(
    'jobs.too_large',
    message('animation.frames_too_large', { megapixels: megapixels(FRAME_PIXEL_LIMIT) }),
  )
}

/** @throws JobFailure too_many_pages for an animation of more than 20,000 frames */
export function checkFrameCount(frames: number): void {
  if (frames <= FRAME_LIMIT) return
  throw new JobFailure('jobs.too_many_pages', message('animation.too_many_frames', { limit: FRAME_LIMIT }))
}

const GIB = 2 ** 30

/** What an archive may hold, whatever its format. */
export const ARCHIVE_LIMITS = {
  entries: 1_000_000,
  /** Bytes of all files together once unpacked. */
  contentBytes: 64 * GIB,
  /** Times the archive's own size that its content may take, beyond the first GiB; deflate reaches 1032. */
  ratio: 1000,
  ratioFreeBytes: GIB,
  /** Folders within folders. */
  depth: 256,
  /** UTF-16 units of a path or of a link's text. */
  pathLength: 16_384,
} as const
