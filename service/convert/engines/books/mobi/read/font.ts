/** Fonts in a book: FONT records, compressed and obfuscated. */
import { inflateSync } from 'node:zlib'
import { DamagedFile } from '../../../common/damage.ts'
import { xored } from '../../epub/read/encryption.ts'

const COMPRESSED = 1
const DISGUISED = 2
/** Size of the obfuscated start of a font. */
const DISGUISED_BYTES = 1040
/** Largest font. */
const FONT_BYTES_LIMIT = 2 ** 26

/**
 * The font in a FONT record: u32 size, flags, offset of the data, length and offset of the key, with which the first bytes
 * are XORed.
 * @throws DamagedFile or an error of zlib if it is damaged
 */
export function readFont(record: Buffer): Buffer {
  const flags = record.readUInt32BE(8)
  const start = record.readUInt32BE(12)
  const keyLength = record.readUInt32BE(16)
  const keyStart = record.readUInt32BE(20)
  if (start > record.length) throw new DamagedFile('a font starts outside of its record')
  let data: Uint8Array = record.subarray(start)
  if (flags & DISGUISED) {
    const key = record.subarray(keyStart, keyStart + keyLength)
    if (key.length === 0) throw new DamagedFile('a font has no key')
    data = xored(data, key, DISGUISED_BYTES)
  }
  return flags & COMPRESSED ? inflateSync(data, { maxOutputLength: FONT_BYTES_LIMIT }) : Buffer.from(data)
}
