/** What a camera's sensor would record of a picture: RGGB, 14 bits per sample. */
import type { Raster } from './pixels.ts'

export const BITS = 14
/** The sample value of a white surface under the scene's light. */
export const WHITE = 16_000
/** The sensor's sensitivity to red, green and blue. */
export const SENSITIVITY = [0.5, 1, 0.65]

export interface RawRecipe {
  /** JPEG to embed. */
  preview: Uint8Array
  /** EXIF orientation. */
  orientation?: number
}

/** One sample per pixel in the order red, green / green, blue. Width and height are even. */
export function mosaic({ width, height, data }: Raster): Uint16Array {
  const linear = Float64Array.from({ length: 256 }, (_, value) => (value / 255) ** 2.2)
  return Uint16Array.from({ length: width * height }, (_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)]
    const colour = (x & 1) + (y & 1)
    return Math.round(linear[data[index * 3 + colour]!]! * SENSITIVITY[colour]! * WHITE)
  })
}

/** Collects bits, the highest first. */
export class Bits {
  readonly bytes: number[] = []
  #byte = 0
  #count = 0
  readonly #stuffing: boolean

  /** With `stuffing`, a zero byte follows each 0xff byte, as in JPEG. */
  constructor(stuffing = false) {
    this.#stuffing = stuffing
  }

  put(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) {
      this.#byte = (this.#byte << 1) | ((value >>> bit) & 1)
      if (++this.#count < 8) continue
      this.bytes.push(this.#byte)
      if (this.#stuffing && this.#byte === 0xff) this.bytes.push(0)
      this.#byte = this.#count = 0
    }
  }

  end(fill: 0 | 1): Buffer {
    while (this.#count > 0) this.put(fill, 1)
    return Buffer.from(this.bytes)
  }
}
