/** Reads FLAC frames, each of which can be decoded by itself (RFC 9639, section 9). */
import { crcTable } from '../../common/crc.ts'
import { BitReader, EndOfBytes } from './bits.ts'

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
  /** How the channels are stored: 8 left and side, 9 side and right, 10 mid and side; others independent. */
  assignment: number
  /** Size in bytes, including the checksum. */
  bytes: number
}

/** The bytes are not a valid frame. */
export class DamagedFrame extends Error {}

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

function crc16(bytes: Uint8Array, start: number, end: number): number {
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
    ...{ blockSize, sampleRate: sampleRate ?? null, bits: DEPTHS[depthCode] ?? null, assignment },
    channels: assignment < 8 ? assignment + 1 : 2,
    bytes: at + 1 - offset,
  }
}

export interface Frame {
  /** Samples by channel. */
  channels: Float64Array[]
  /** Offset of the next frame. */
  end: number
}

/**
 * Decodes the frame whose header was found at an offset. Numbers have at most 53 bits, which a double holds exactly.
 * @throws EndOfBytes, DamagedFrame
 */
export function decodeFrame(bytes: Uint8Array, offset: number, header: FrameHeader, bits: number): Frame {
  const reader = new BitReader(bytes, offset + header.bytes)
  const { assignment, blockSize } = header
  const channels = Array.from({ length: header.channels }, (_, index) => {
    const isSide =
      (assignment === 9 && index === 0) || ((assignment === 8 || assignment === 10) && index === 1)
    return subframe(reader, blockSize, bits + (isSide ? 1 : 0))
  })
  const end = reader.byteOffset + 2
  if (end > bytes.length) throw new EndOfBytes()
  const checksum = ((bytes[end - 2] as number) << 8) | (bytes[end - 1] as number)
  if (crc16(bytes, offset, end - 2) !== checksum) throw new DamagedFrame()
  decorrelate(channels, assignment)
  return { channels, end }
}

/** Restores left and right from what is stored instead of them. */
function decorrelate(channels: Float64Array[], assignment: number): void {
  const [first, second] = channels as [Float64Array, Float64Array]
  if (assignment < 8) return
  for (let n = 0; n < first.length; n++) {
    const [a, b] = [first[n] as number, second[n] as number]
    if (assignment === 8) second[n] = a - b
    else if (assignment === 9) first[n] = a + b
    else {
      // The last bit of mid is that of side.
      const middle = 2 * a + Math.abs(b % 2)
      first[n] = (middle + b) / 2
      second[n] = (middle - b) / 2
    }
  }
}

function subframe(reader: BitReader, size: number, width: number): Float64Array {
  if (reader.unsigned(1) !== 0) throw new DamagedFrame()
  const type = reader.unsigned(6)
  const wasted = reader.unsigned(1) ? reader.zeros() + 1 : 0
  const bits = width - wasted
  if (bits < 1) throw new DamagedFrame()
  const samples = new Float64Array(size)
  if (type === 0) samples.fill(reader.signed(bits))
  else if (type === 1) for (let n = 0; n < size; n++) samples[n] = reader.signed(bits)
  else if (type >= 8 && type <= 12) predicted(reader, samples, bits, FIXED[type - 8] as number[])
  else if (type >= 32) predicted(reader, samples, bits, null, type - 31)
  else throw new DamagedFrame()
  if (wasted > 0) for (let n = 0; n < size; n++) (samples[n] as number) *= 2 ** wasted
  return samples
}

/** Coefficients of the fixed predictors, by order. */
const FIXED = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]]

/** Warm-up samples, then the difference of each other sample from its prediction. */
function predicted(
  reader: BitReader,
  samples: Float64Array,
  bits: number,
  fixed: readonly number[] | null,
  order = fixed?.length ?? 0,
): void {
  if (order > samples.length) throw new DamagedFrame()
  for (let n = 0; n < order; n++) samples[n] = reader.signed(bits)
  let shift = 0
  let coefficients = fixed
  if (!coefficients) {
    const precision = reader.unsigned(4) + 1
    shift = reader.signed(5)
    if (precision === 16 || shift < 0) throw new DamagedFrame()
    coefficients = Array.from({ length: order }, () => reader.signed(precision))
  }
  residual(reader, samples, order)
  const factor = 2 ** -shift
  for (let n = order; n < samples.length; n++) {
    let sum = 0
    for (let k = 0; k < order; k++) sum += (coefficients[k] as number) * (samples[n - 1 - k] as number)
    samples[n] = (samples[n] as number) + Math.floor(sum * factor)
  }
}

/** Rice-coded differences, in partitions with a parameter each. */
function residual(reader: BitReader, samples: Float64Array, order: number): void {
  const method = reader.unsigned(2)
  if (method > 1) throw new DamagedFrame()
  const width = 4 + method
  const partitions = 1 << reader.unsigned(4)
  const length = samples.length / partitions
  if (!Number.isInteger(length) || length < order) throw new DamagedFrame()
  for (let partition = 0; partition < partitions; partition++) {
    const parameter = reader.unsigned(width)
    const end = (partition + 1) * length
    let n = partition === 0 ? order : partition * length
    if (parameter === (1 << width) - 1) {
      const plain = reader.unsigned(5)
      for (; n < end; n++) samples[n] = plain === 0 ? 0 : reader.signed(plain)
      continue
    }
    const scale = 2 ** parameter
    for (; n < end; n++) {
      const value = reader.zeros() * scale + reader.unsigned(parameter)
      samples[n] = value % 2 === 0 ? value / 2 : -(value + 1) / 2
    }
  }
}
