/** Reads properties of ICC profiles (ICC.1:2022, 7.2 and 10). */
import { inflateSync } from 'node:zlib'
import type { ToneCurve } from './icc-write.ts'

/** Largest profile that is accepted, in bytes. */
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

/** Number of colour components of a profile, from its header; undefined if it is not a profile. */
export function iccComponents(icc: Uint8Array): 1 | 3 | 4 | undefined {
  if (icc.length < 128 || Buffer.from(icc.subarray(36, 40)).toString('latin1') !== 'acsp') return undefined
  return ({ GRAY: 1, 'RGB ': 3, CMYK: 4 } as const)[profileSpace(icc) as 'GRAY' | 'RGB ' | 'CMYK']
}

/** Colour space of a profile, such as `RGB `, `GRAY`, `CMYK`. */
export const profileSpace = (icc: Uint8Array): string => String.fromCharCode(...icc.subarray(16, 20))

/** The body of a tag such as `kTRC`, including its type; undefined if the profile lacks it. */
function tagOf(icc: Uint8Array, wanted: string): DataView | undefined {
  const view = new DataView(icc.buffer, icc.byteOffset, icc.byteLength)
  if (icc.length < 132) return undefined
  const count = Math.min(view.getUint32(128), 100)
  for (let i = 0; i < count; i++) {
    const entry = 132 + i * 12
    if (entry + 12 > icc.length) return undefined
    if (String.fromCharCode(...icc.subarray(entry, entry + 4)) !== wanted) continue
    const [at, bytes] = [view.getUint32(entry + 4), view.getUint32(entry + 8)]
    if (bytes < 12 || at + bytes > icc.length) return undefined
    return new DataView(icc.buffer, icc.byteOffset + at, bytes)
  }
  return undefined
}

/** The tone curve of a grey profile (ICC.1:2022, 10.6); undefined if it is specified in another way than by samples or a gamma. */
export function greyCurveOf(icc: Uint8Array): ToneCurve | undefined {
  const tag = profileSpace(icc) === 'GRAY' ? tagOf(icc, 'kTRC') : undefined
  return tag?.getUint32(0) === SAMPLED ? sampledCurve(tag) : undefined
}

/** `curv`. */
const SAMPLED = 0x63757276

function sampledCurve(tag: DataView): ToneCurve | undefined {
  const points = tag.getUint32(8)
  if (points === 0) return signal => signal
  if (12 + points * 2 > tag.byteLength) return undefined
  if (points === 1) {
    const gamma = tag.getUint16(12) / 256
    return signal => signal ** gamma
  }
  const last = points - 1
  const value = (index: number) => tag.getUint16(12 + 2 * index) / 65_535
  return signal => {
    const at = signal * last
    const step = Math.min(Math.floor(at), last - 1)
    return value(step) + (at - step) * (value(step + 1) - value(step))
  }
}
