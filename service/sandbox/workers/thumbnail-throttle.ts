/** While something is converted, the rest after a thumbnail, as a multiple of the time it took. */
const REST_FACTOR = 19

/** How long conversions that have ended still count, since a caller's next one often follows after a moment. */
export const GAP_MS = 300

/**
 * How thumbnails yield to conversions: none are made while conversions keep every core busy; otherwise one at a time, with
 * rests between them.
 */
export class ThumbnailThrottle {
  readonly #cores: number
  #restUntil = 0
  #ended: { converting: number; at: number }[] = []

  constructor(cores: number) {
    this.#cores = cores
  }

  /**
   * How many thumbnails may be made at once.
   * @param most the number without conversions
   * @param converting conversions that run or wait
   * @param now milliseconds on any clock
   */
  places(most: number, converting: number, now: number): number {
    const load = this.#load(converting, now)
    if (load === 0) return most
    if (load >= this.#cores || now < this.#restUntil) return 0
    return 1
  }

  /**
   * Records that a thumbnail was made.
   * @returns milliseconds until the next one may start; 0 for at once
   */
  rest(tookMs: number, converting: number, now: number): number {
    if (this.#load(converting, now) === 0) return 0
    this.#restUntil = now + REST_FACTOR * tookMs
    return REST_FACTOR * tookMs
  }

  /** Records that one of `converting` conversions ended. */
  ended(converting: number, now: number): void {
    this.#ended.push({ converting, at: now })
  }

  /** The most conversions there were since {@link GAP_MS} ago. */
  #load(converting: number, now: number): number {
    this.#ended = this.#ended.filter(({ at }) => now < at + GAP_MS)
    return Math.max(converting, ...this.#ended.map(ended => ended.converting))
  }
}
