import { inflateSync } from 'node:zlib'

/** Largest profile that is taken over. */
const PROFILE_LIMIT = 16_000_000

/** The profile in a PNG's iCCP chunk: a name, a zero, the compression method, zlib data. */
export function iccOfPng(data: Buffer): Uint8Array | undefined {
  const end = data.indexOf(0)
  if (end < 0) return undefined
  try {
    return inflateSync(data.subarray(end + 2), { maxOutputLength: PROFILE_LIMIT })
  } catch {
    return undefined
  }
}

/** Colour components a profile is for, by its header; undefined when it is none. */
export function iccComponents(icc: Uint8Array): 1 | 3 | 4 | undefined {
  if (icc.length < 128 || Buffer.from(icc.subarray(36, 40)).toString('latin1') !== 'acsp') return undefined
  const space = Buffer.from(icc.subarray(16, 20)).toString('latin1')
  return ({ GRAY: 1, 'RGB ': 3, CMYK: 4 } as const)[space as 'GRAY' | 'RGB ' | 'CMYK']
}
