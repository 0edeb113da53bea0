import type { Sink } from '../sink.ts'
import { paddingOf, SECTOR_BYTES } from './fields.ts'

const ZEROS = Buffer.alloc(1 << 16)

/** Counts the bytes written to a sink, and pads them to sectors. */
export class ImageWriter {
  readonly #sink: Sink
  /** Bytes written so far. */
  position = 0

  constructor(sink: Sink) {
    this.#sink = sink
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.position += bytes.length
    await this.#sink.write(bytes)
  }

  /** Writes zeros up to the next sector boundary. */
  pad(): Promise<void> {
    return this.#zeros(paddingOf(this.position))
  }

  /** Writes zeros up to the start of a sector. */
  skipTo(sector: number): Promise<void> {
    return this.#zeros(sector * SECTOR_BYTES - this.position)
  }

  async #zeros(count: number): Promise<void> {
    if (count < 0) throw new Error('the image has grown past a place that is to be written')
    for (let left = count; left > 0; left -= ZEROS.length) {
      await this.write(ZEROS.subarray(0, left))
    }
  }
}
