/** Deflate streams that unpack to gigabytes, created without compressing gigabytes. */
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { le32, u32 } from '../fixtures/numbers.ts'

const PIECE_BYTES = 16 << 20
/** Byte-aligned pieces that refer to nothing before them and are not final, so they can be concatenated. */
const piece = (bytes: Uint8Array) => deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH })

export interface Packed {
  /** A raw stream of deflate (RFC 1951). */
  packed: Buffer
  /** Bytes it unpacks to. */
  size: number
  /** CRC-32 of those. */
  crc: number
}

/** One character repeated very often, between two texts. */
export function inflating(megabytes: number, fill = ' ', before = '', after = ''): Packed {
  const many = Buffer.alloc(PIECE_BYTES, fill)
  const count = Math.ceil((megabytes * 1e6) / PIECE_BYTES)
  const packed = piece(many)
  const [head, tail] = [Buffer.from(before), Buffer.from(after)]
  let crc = crc32(head)
  for (let n = 0; n < count; n++) crc = crc32(many, crc)
  return {
    packed: Buffer.concat([
      piece(head),
      ...Array.from({ length: count }, () => packed),
      deflateRawSync(tail),
    ]),
    size: head.length + count * PIECE_BYTES + tail.length,
    crc: crc32(tail, crc),
  }
}

/** The same in the format of gzip (RFC 1952). */
export function inflatingGzip(megabytes: number, fill = '\0'): Buffer {
  const { packed, size, crc } = inflating(megabytes, fill)
  return Buffer.concat([Buffer.from('1f8b0800000000000003', 'hex'), packed, le32(crc, size)])
}

const ADLER = 65_521n

/** The same in the zlib format (RFC 1950), whose checksum of equal bytes is computed by a formula. */
export function inflatingZlib(megabytes: number, fill = '\0'): Buffer {
  const { packed, size } = inflating(megabytes, fill)
  const [count, byte] = [BigInt(size), BigInt(Buffer.from(fill)[0] ?? 0)]
  const low = (1n + count * byte) % ADLER
  const high = (count + (byte * count * (count + 1n)) / 2n) % ADLER
  return Buffer.concat([Buffer.from('7801', 'hex'), packed, u32(Number(high * 65_536n + low))])
}
