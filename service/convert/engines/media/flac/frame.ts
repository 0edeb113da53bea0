/** Finds FLAC frames (RFC 9639, section 9). */
import { crcTable } from '../../common/crc.ts'

export interface FrameHeader {
  /** Number of the frame, or of its first sample if blocks differ in size. */
  number: number
  isVariable: boolean
  /** Samples of each channel. */
  blockSize: number
  /** Null if only STREAMINFO contains it. */
  sampleRate: number | null
  bits: number | null
  channels: number
  /** Size in bytes, including the checksum. */
  bytes: number
}

const RATES = [
  null, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
] as const // biome-ignore format: a table
const DEPTHS = [null, 8, 12, null, 16, 20, 24, 32] as const

const crc8Table = crcTable(8, 0x07)
const crc16Table = crcTable(16, 0x8005)

function crc8(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at++) value = crc8Table[value ^ (bytes[at] as number)] as number
  return value
}

/** The checksum of a frame, which is behind it. */
export function crc16(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at++)
    value = ((value << 8) & 0xffff) ^ (crc16Table[(value >>> 8) ^ (bytes[at] as number)] as number)
  return value
}

/** The header at an offset; null if there is none or it is inconsistent. */
export function frameHeaderAt(bytes: Uint8Array, offset: number): FrameHeader | null {
  if (offset + 6 > bytes.length || bytes[offset] !== 0xff || ((bytes[offset + 1] as number) & 0xfe) !== 0xf8)
    return null
  const [sizes, layout] = [bytes[offset + 2] as number, bytes[offset + 3] as number]
  const [sizeCode, rateCode] = [sizes >> 4, sizes & 15]
  const [assignment, depthCode] = [layout >> 4, (layout >> 1) & 7]
  if (sizeCode === 0 || rateCode === 15 || assignment > 10 || depthCode === 3 || layout & 1) return null
  // The number of the frame or sample, encoded like UTF-8, up to 36 bits.
  const lead = bytes[offset + 4] as number
  const numberBytes = lead < 0x80 ? 1 : Math.clz32(~(lead << 24))
  if (numberBytes > 7 || (lead >= 0x80 && numberBytes === 1)) return null
  let number = numberBytes === 1 ? lead : lead & (0x7f >> numberBytes)
  for (let index = 1; index < numberBytes; index++)
    number = number * 64 + ((bytes[offset + 4 + index] ?? 0) & 0x3f)
  let at = offset + 4 + numberBytes
  const next = (count: number) => {
    let value = 0
    for (let index = 0; index < count; index++) value = value * 256 + (bytes[at++] ?? Number.NaN)
    return value
  }
  const blockSize =
    sizeCode === 1
      ? 192
      : sizeCode <= 5
        ? 576 << (sizeCode - 2)
        : sizeCode <= 7
          ? next(sizeCode - 5) + 1
          : 256 << (sizeCode - 8)
  const sampleRate =
    rateCode === 12
      ? next(1) * 1000
      : rateCode === 13
        ? next(2)
        : rateCode === 14
          ? next(2) * 10
          : RATES[rateCode]
  if (!(at < bytes.length) || crc8(bytes, offset, at) !== bytes[at]) return null
  return {
    ...{ number, isVariable: ((bytes[offset + 1] as number) & 1) === 1 },
    ...{ blockSize, sampleRate: sampleRate ?? null, bits: DEPTHS[depthCode] ?? null },
    channels: assignment < 8 ? assignment + 1 : 2,
    bytes: at + 1 - offset,
  }
}
