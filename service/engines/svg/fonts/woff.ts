/** WOFF (W3C Recommendation, 2012): an OpenType font whose tables are compressed separately. */
import { inflateSync } from 'node:zlib'
import { FONT_LIMIT, type Font } from './sfnt.ts'

export function readWoff(file: Buffer): Font {
  const tables = new Map<string, Buffer>()
  let total = 0
  for (let i = 0; i < file.readUInt16BE(12); i++) {
    const entry = 44 + i * 20
    const offset = file.readUInt32BE(entry + 4)
    const packed = file.readUInt32BE(entry + 8)
    const length = file.readUInt32BE(entry + 12)
    total += length
    if (total > FONT_LIMIT) throw new Error('the font is too large')
    const data = file.subarray(offset, offset + packed)
    tables.set(
      file.toString('latin1', entry, entry + 4),
      packed < length ? inflateSync(data, { maxOutputLength: length }) : data,
    )
  }
  return { flavour: file.readUInt32BE(4), tables }
}
