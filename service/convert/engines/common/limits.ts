/** Maximum sizes of pictures and animations, whatever engine reads them. */
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'

const MEGAPIXEL = 1_000_000

/** Maximum number of pixels in a picture. */
export const PIXEL_LIMIT = 400 * MEGAPIXEL

/** Maximum number of pixels in a frame: readers of animations hold two or three of them at once. */
export const FRAME_PIXEL_LIMIT = 64 * MEGAPIXEL

/** Maximum number of frames in an animation. */
const FRAME_LIMIT = 20_000

export const megapixels = (pixels: number): number => Math.round(pixels / MEGAPIXEL)

export const tooManyPixels = (most = PIXEL_LIMIT): JobFailure =>
  new JobFailure('jobs.too_large', message('picture.too_many_pixels', { megapixels: megapixels(most) }))

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

/** Limits for the content of an archive, whatever its format. */
export const ARCHIVE_LIMITS = {
  entries: 1_000_000,
  /** Total size of all files once unpacked. */
  contentBytes: 64 * GIB,
  /** Maximum ratio of content to archive size, beyond the first GiB; deflate reaches 1032. */
  ratio: 1000,
  ratioFreeBytes: GIB,
  /** Maximum nesting of folders. */
  depth: 256,
  /** Maximum length of a path or a link target, in UTF-16 units. */
  pathLength: 16_384,
} as const
