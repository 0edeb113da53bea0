import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { readFonts } from '../../../fonts/sfnt/read.ts'
import { writeSfnt } from '../../../fonts/sfnt/sfnt.ts'
import { xored } from '../../epub/read/encryption.ts'

const KEY_BYTES = 20
const HEADER_BYTES = 24
/** Size of the start of a packed font that is XORed with the key. */
const MIXED_BYTES = 1040
const FLAGS = { packed: 1, mixed: 2 } as const

/**
 * Converts a font of any format to TrueType or OpenType; of a collection, the first font is used.
 * @throws JobFailure if it cannot be read
 */
export async function plainFont(bytes: Uint8Array): Promise<Uint8Array> {
  const version = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tag = bytes.length >= 12 ? version.getUint32(0) : 0
  const [first] = await readFonts(bytes)
  return first && tag !== 0x0001_0000 && tag !== 0x4f54_544f ? writeSfnt(first) : bytes
}

/** The record of a font in a Kindle file: compressed, and XORed with a key that is stored next to it. */
export function fontRecord(font: Uint8Array): Uint8Array {
  const packed = deflateSync(font)
  // The same font gives the same record.
  const key = createHash('sha256').update(font).digest().subarray(0, KEY_BYTES)
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('FONT', 'latin1')
  header.writeUInt32BE(font.length, 4)
  header.writeUInt32BE(FLAGS.packed | FLAGS.mixed, 8)
  header.writeUInt32BE(HEADER_BYTES + KEY_BYTES, 12)
  header.writeUInt32BE(KEY_BYTES, 16)
  header.writeUInt32BE(HEADER_BYTES, 20)
  return Buffer.concat([header, key, xored(packed, key, MIXED_BYTES)])
}
