import { seeded } from './pixels.ts'

export interface Malformed {
  name: string
  bytes: Buffer
}

/** A file cut off at 10, 50 and 90 percent, and copies of it with one to eight bytes changed, by seed. */
export function malformed(bytes: Uint8Array, flips = 32): Malformed[] {
  const cut = [0.1, 0.5, 0.9].map(share => ({
    name: `cut at ${share * 100} %`,
    bytes: Buffer.from(bytes.subarray(0, Math.floor(bytes.length * share))),
  }))
  const flipped = Array.from({ length: flips }, (_, seed) => {
    const random = seeded(seed + 1)
    const copy = Buffer.from(bytes)
    for (let i = random(8); i >= 0; i--) copy[random(copy.length)] = random(256)
    return { name: `changed by seed ${seed + 1}`, bytes: copy }
  })
  return [...cut, ...flipped]
}
