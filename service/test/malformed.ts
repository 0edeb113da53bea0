import { isFull } from './full.ts'
import { seeded } from './pixels.ts'

export interface Malformed {
  name: string
  bytes: Buffer
  /** Percentage that is left of a truncated file. */
  cut?: number
}

/**
 * A file truncated at 10, 50 and 90 percent, and in the full suite copies of it with one to eight bytes changed, by seed.
 */
export function malformed(bytes: Uint8Array, copies = 32): Malformed[] {
  const cut = [10, 50, 90].map(percent => ({
    name: `cut at ${percent} %`,
    bytes: Buffer.from(bytes.subarray(0, Math.floor((bytes.length * percent) / 100))),
    cut: percent,
  }))
  const changed = Array.from({ length: isFull ? copies : 0 }, (_, seed) => {
    const random = seeded(seed + 1)
    const copy = Buffer.from(bytes)
    for (let i = random(8); i >= 0; i--) copy[random(copy.length)] = random(256)
    return { name: `changed by seed ${seed + 1}`, bytes: copy }
  })
  return [...cut, ...changed]
}
