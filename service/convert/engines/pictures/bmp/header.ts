import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { checkPixels } from '../../common/limits.ts'

/** How samples are stored. */
export type Compression = 'none' | 'rle4' | 'rle8'

/** A bitmap header: OS/2 1.x (12 bytes), Windows 3 (40), and Windows 4 and 5 (52 to 124). */
export interface DibHeader {
  bytes: number
  width: number
  height: number
  topDown: boolean
  bits: number
  compression: Compression
  /** Bits of red, green, blue and alpha in a sample of 16 or 32 bits; alpha is 0 if there is none. */
  masks: [number, number, number, number]
  /** Offset of the palette from the header, and its entries. */
  palette: { offset: number; count: number; entryBytes: 3 | 4 }
  /** Offset of an embedded colour profile from the header, and its size. */
  profile: { offset: number; bytes: number } | undefined
}

/**
 * Reads the header at `at`. Numbers are little endian.
 * @param icon in icons the height includes the mask, and 32-bit samples have alpha
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export function readHeader(file: Buffer, at: number, icon = false): DibHeader {
  const bytes = file.readUInt32LE(at)
  const short = bytes === 12
  if (!short && (bytes < 40 || bytes > 256)) throw new JobFailure('jobs.corrupt_input')
  /** A field that may be missing in a short header. */
  const field = (offset: number) => (offset + 4 <= bytes ? file.readUInt32LE(at + offset) : 0)
  const width = short ? file.readUInt16LE(at + 4) : file.readInt32LE(at + 4)
  const signedHeight = short ? file.readUInt16LE(at + 6) : file.readInt32LE(at + 8)
  const bits = file.readUInt16LE(at + (short ? 10 : 14))
  const height = icon ? Math.abs(signedHeight) >> 1 : Math.abs(signedHeight)
  if (width <= 0 || height <= 0) throw new JobFailure('jobs.corrupt_input')
  checkPixels(width, height)
  const code = short ? 0 : field(16)
  const bitfields = code === 3 || code === 6
  const { compression, masks } = bitfields
    ? { compression: 'none' as const, masks: readMasks(file, at, bytes, code) }
    : { compression: compressionOf(code), masks: defaultMasks(bits, icon) }
  if (![1, 2, 4, 8, 16, 24, 32].includes(bits)) {
    throw new JobFailure('jobs.unsupported_input', message('bmp.unsupported_depth', { bits }))
  }
  const full = bits <= 8 ? 1 << bits : 0
  const used = field(32)
  const extraMasks = bitfields && bytes === 40 ? (code === 6 ? 16 : 12) : 0
  const embedded = bytes >= 124 && file.toString('latin1', at + 56, at + 60) === 'DEBM'
  return {
    bytes,
    width,
    height,
    topDown: signedHeight < 0,
    bits,
    compression,
    masks,
    palette: {
      offset: bytes + extraMasks,
      count: used > 0 && used < full ? used : full,
      entryBytes: short ? 3 : 4,
    },
    profile: embedded ? { offset: field(112), bytes: field(116) } : undefined,
  }
}

function compressionOf(code: number): Compression {
  const name = (['none', 'rle8', 'rle4'] as const)[code]
  if (!name) {
    throw new JobFailure('jobs.unsupported_input', message('bmp.unsupported_compression'))
  }
  return name
}

const defaultMasks = (bits: number, icon: boolean): DibHeader['masks'] =>
  bits === 16 ? [0x7c00, 0x3e0, 0x1f, 0] : [0xff0000, 0xff00, 0xff, icon ? 0xff000000 : 0]

/** Masks follow a 40-byte header, and are part of longer ones. */
function readMasks(file: Buffer, at: number, bytes: number, code: number): DibHeader['masks'] {
  const mask = (index: number) => file.readUInt32LE(at + 40 + index * 4)
  return [mask(0), mask(1), mask(2), bytes >= 56 || code === 6 ? mask(3) : 0]
}
