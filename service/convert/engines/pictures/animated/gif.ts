import { JobFailure } from '../../../../shared/errors.ts'
import { checkFrameCount, checkFramePixels, checkPixels } from '../../common/limits.ts'
import type { Size } from '../../common/rectangle.ts'
import type { Gif, GifFrame } from '../formats/gif.ts'
import type { Animation } from '../pixels.ts'
import { visibleDelay } from '../sharp/animation.ts'
import { sharp } from '../sharp/load.ts'
import { rgbaOf } from '../sharp/samples.ts'
import { compose } from './compose.ts'

/** @throws JobFailure corrupt_input without a frame, too_large for a canvas that claims to be huge */
export function checkGif({ width, height, frames }: Gif): void {
  checkPixels(width, height)
  if (frames.length === 0) throw new JobFailure('jobs.corrupt_input')
}

/**
 * Whether libvips draws a GIF file differently from browsers. If a frame has no transparent colour, libvips fills
 * uncovered and cleared areas with the background colour; browsers leave them transparent.
 */
export function needsOwnCanvas({ width, height, frames }: Gif): boolean {
  const [first] = frames
  if (!first || frames.every(({ transparent }) => transparent)) return false
  // libvips considers a larger canvas a mistake, and uses the frames' size.
  if (width > 2048 || height > 2048) return false
  const covers = first.x === 0 && first.y === 0 && first.width >= width && first.height >= height
  return !covers || frames.slice(0, -1).some(({ dispose }) => dispose === 'clear')
}

/**
 * The animation in a GIF file, drawn frame by frame as browsers do.
 * @param loop times to play, 0 endlessly
 * @throws JobFailure too_large, too_many_pages; while reading frames also corrupt_input
 */
export function drawGif(gif: Gif, loop: number): Animation {
  checkFrameCount(gif.frames.length)
  // The canvas is at least as large as its first frame needs.
  const [first] = gif.frames
  const width = Math.max(gif.width, first ? first.x + first.width : 0)
  const height = Math.max(gif.height, first ? first.y + first.height : 0)
  checkFramePixels(width, height)
  const frames = gif.frames.map(frame => ({
    ...frame,
    source: frame,
    over: true,
    width: Math.max(0, Math.min(frame.width, width - frame.x)),
    height: Math.max(0, Math.min(frame.height, height - frame.y)),
  }))
  return {
    width,
    height,
    frameCount: frames.length,
    frames: compose(frames, { width, height }, ({ source, ...size }) => decode(source, size)),
    delays: frames.map(({ delay }) => visibleDelay(delay)),
    loop,
  }
}

async function decode(frame: GifFrame, { width, height }: Size): Promise<Uint8Array> {
  if (width === 0 || height === 0) return new Uint8Array(0)
  return rgbaOf(sharp(frame.file(), { failOn: 'error' }).extract({ left: 0, top: 0, width, height }))
}
