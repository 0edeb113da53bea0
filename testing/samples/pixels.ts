/** Pictures for tests, and how similar two pictures are. */

export interface Raster {
  width: number
  height: number
  /** 8 bits a sample, interleaved. */
  data: Uint8Array
}

/** An RGB picture without edges that changes under every rotation or mirroring. */
export function gradient(width: number, height: number): Raster {
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3
      data[at] = 30 + (200 * x) / width
      data[at + 1] = 40 + (170 * y) / height
      data[at + 2] = 128 + 80 * Math.sin(x / 40 + y / 23)
    }
  }
  return { width, height, data }
}

/** Peak signal-to-noise ratio in decibels; infinite for equal pictures, 0 for different sizes. */
export function psnr(a: ArrayLike<number>, b: ArrayLike<number>, peak = 255): number {
  if (a.length !== b.length) return 0
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2
  return 10 * Math.log10((peak * peak * a.length) / sum)
}

/** A generator of numbers below `limit`; the same seed gives the same sequence. */
export function seeded(seed: number): (limit: number) => number {
  let state = seed
  return limit => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * limit)
  }
}
