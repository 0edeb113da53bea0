/** Times at which to draw an animation, and how long each frame is shown. */
export interface Timing {
  /** Resulting frames per second; the duration is kept, so this may differ slightly from the requested rate. */
  fps: number
  /** Moments in frames of the source, from 0. */
  positions: number[]
  /** Milliseconds for which each is shown: whole ticks whose sum is the source's duration rounded to a tick. */
  delays: number[]
}

/**
 * Resamples an animation to a new frame rate. Rounding each delay alone would change the duration (60 fps in GIF's 10
 * ms steps plays a fifth too slow), so the boundaries between frames are rounded instead.
 * @param frames frames of the source
 * @param sourceFps frames per second of the source
 * @param fps requested frames per second
 * @param tick delays are multiples of this many milliseconds
 */
export function resampleFrames(frames: number, sourceFps: number, fps: number, tick = 1): Timing {
  const seconds = frames / sourceFps
  const count = Math.max(1, Math.round(seconds * fps))
  const ticks = Math.max(count, Math.round((seconds * 1000) / tick))
  const edge = (index: number) => Math.round((index * ticks) / count)
  return {
    fps: count / seconds,
    positions: Array.from({ length: count }, (_, index) => (index * frames) / count),
    delays: Array.from({ length: count }, (_, index) => (edge(index + 1) - edge(index)) * tick),
  }
}
