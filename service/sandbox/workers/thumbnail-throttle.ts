/** While something is converted, the rest after a thumbnail, as a multiple of the time it took. */
const REST_FACTOR = 9

/**
 * How thumbnails yield to conversions: none are made while conversions keep every core busy; otherwise one at a time, with
 * rests between them.
 */
export class ThumbnailThrottle {
  readonly #cores: number
  #restUntil = 0

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
    if (converting === 0) return most
    if (converting >= this.#cores || now < this.#restUntil) return 0
    return 1
  }

  /**
   * Records that a thumbnail was made.
   * @returns milliseconds until the next one may start; 0 for at once
   */
  rest(tookMs: number, converting: number, now: number): number {
    if (converting === 0) return 0
    this.#restUntil = now + REST_FACTOR * tookMs
    return REST_FACTOR * tookMs
  }
}
