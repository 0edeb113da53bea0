/** Times as long as it took that there is no further thumbnail after one, while something is converted. */
const REST = 9

/**
 * How thumbnails give way to conversions: none are made while these keep every core busy, and beside fewer there is one at
 * a time with rests between.
 */
export class GivingWay {
  readonly #cores: number
  #restUntil = 0

  constructor(cores: number) {
    this.#cores = cores
  }

  /**
   * Thumbnails that may be made at once.
   * @param most without conversions
   * @param converting conversions at work or waiting
   * @param now milliseconds on any clock
   */
  places(most: number, converting: number, now: number): number {
    if (converting === 0) return most
    if (converting >= this.#cores || now < this.#restUntil) return 0
    return 1
  }

  /**
   * Notes that a thumbnail was made.
   * @returns milliseconds after which there may be another; 0 for at once
   */
  rest(tookMs: number, converting: number, now: number): number {
    if (converting === 0) return 0
    this.#restUntil = now + REST * tookMs
    return REST * tookMs
  }
}
