/** What ICC profiles say of themselves (ICC.1:2022, 7.2 and 10). */
import { inflateSync } from 'node:zlib'

/** Largest profile that is taken over, in bytes. */
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
  return ({ GRAY: 1, 'RGB ': 3, CMYK: 4 } as const)[profileSpace(icc) as 'GRAY' | 'RGB ' | 'CMYK']
}

/** Colour space of a profile, such as `RGB `, `GRAY`, `CMYK`. */
export const profileSpace = (icc: Uint8Array): string => String.fromCharCode(...icc.subarray(16, 20))

/** Whether the first tone curve of a profile is the identity. */
export function hasLinearCurve(icc: Uint8Array): boolean {
  const view = new DataView(icc.buffer, icc.byteOffset, icc.byteLength)
  const wanted = profileSpace(icc) === 'GRAY' ? 0x6b545243 : 0x72545243 // kTRC, rTRC
  if (icc.length < 132) return false
  const count = Math.min(view.getUint32(128), 100)
  for (let i = 0; i < count; i++) {
    const entry = 132 + i * 12
    if (entry + 12 > icc.length) return false
    if (view.getUint32(entry) !== wanted) continue
    const at = view.getUint32(entry + 4)
    if (at + 16 > icc.length) return false
    const type = view.getUint32(at)
    if (type === 0x63757276) {
      const points = view.getUint32(at + 8)
      return points === 0 || (points === 1 && view.getUint16(at + 12) === 256)
    }
    return type === 0x70617261 && view.getUint16(at + 8) === 0 && view.getUint32(at + 12) === 65536
  }
  return false
}
