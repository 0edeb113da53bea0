/** Removes the generic compression of a picture: `cmpC` and `icef` (ISO/IEC 23001-17, amendment 2). */
import { brotliDecompressSync, inflateRawSync, inflateSync } from 'node:zlib'
import { readFullBox } from '../../formats/iso-boxes.ts'
import { corrupt, unknownCoding } from '../failure.ts'
import type { Item } from '../items.ts'

const UNPACK: Readonly<Record<string, typeof inflateSync>> = {
  defl: inflateRawSync,
  zlib: inflateSync,
  brot: brotliDecompressSync,
}

const UNIT_LIMIT = 1 << 20

/**
 * @param data of the item
 * @param size of the samples in bytes
 * @throws JobFailure corrupt_input; unsupported_input for other compressions
 */
export function unpacked(item: Item, data: Uint8Array, size: number): Uint8Array {
  const box = item.properties.find(({ type }) => type === 'cmpC')
  if (!box) return data
  const unpack = UNPACK[readFullBox(box.body).reader.latin1(4)]
  if (!unpack) throw unknownCoding()
  const pieces: Uint8Array[] = []
  let left = size
  for (const { start, length } of unitsOf(item) ?? [{ start: 0, length: data.length }]) {
    if (start + length > data.length || left <= 0) throw corrupt()
    try {
      const piece = unpack(data.subarray(start, start + length), { maxOutputLength: left })
      if (piece.length === 0) throw corrupt()
      pieces.push(piece)
      left -= piece.length
    } catch {
      throw corrupt()
    }
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
}

/** Bytes of the fields by their codes. */
const OFFSET_BYTES = [0, 2, 3, 4, 8]
const LENGTH_BYTES = [1, 2, 3, 4, 8]

/** Where the units are that are compressed separately, such as tiles; undefined if it is all one. */
function unitsOf(item: Item): { start: number; length: number }[] | undefined {
  const box = item.properties.find(({ type }) => type === 'icef')
  if (!box) return undefined
  const { reader } = readFullBox(box.body)
  const codes = reader.u8()
  const [offsetBytes, lengthBytes] = [OFFSET_BYTES[codes >> 5], LENGTH_BYTES[(codes >> 2) & 7]]
  const count = reader.u32()
  if (offsetBytes === undefined || lengthBytes === undefined || count > UNIT_LIMIT) throw corrupt()
  const field = (bytes: number) => reader.take(bytes).reduce((sum, byte) => sum * 256 + byte, 0)
  let next = 0
  return Array.from({ length: count }, () => {
    const start = offsetBytes === 0 ? next : field(offsetBytes)
    const length = field(lengthBytes)
    next = start + length
    return { start, length }
  })
}
