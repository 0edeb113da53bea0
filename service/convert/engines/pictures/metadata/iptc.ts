/** Records of IPTC-IIM 4, as JPEG and TIFF hold them. */
import { isUtf8 } from 'node:buffer'
import { ByteReader } from '../../common/byte-reader.ts'
import { text, u16, u32 } from '../../common/iso-boxes.ts'
import { decodeText } from '../../common/text.ts'
import { beginsWith, PHOTOSHOP } from '../formats/jpeg.ts'
import { readResources } from '../psd/resources.ts'

/** A value of the second record, by its number. */
export interface IptcRecord {
  number: number
  value: Uint8Array
}

/** Numbers of what says where a picture was taken: city, sublocation, state, country. */
export const IPTC_PLACE = [26, 27, 90, 92, 95, 100, 101]

const MARK = 0x1c

/** Numbers of records that are no text: the caption as a picture, and a preview. */
const isText = (number: number) => number !== 125 && number < 200

/** The second record of a block in UTF-8, with or without the resources of Photoshop around it. */
export function readIptc(block: Uint8Array): IptcRecord[] {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.length)
  const stream = beginsWith(bytes, PHOTOSHOP)
    ? readResources(new ByteReader(bytes.subarray(PHOTOSHOP.length))).iptc
    : block
  // libtiff turns the bytes of big-endian TIFFs around, as if they were numbers.
  const isTurned = stream?.[0] !== MARK && stream?.[3] === MARK && stream.length % 4 === 0
  const reader = new ByteReader(isTurned ? Buffer.from(stream).swap32() : (stream ?? new Uint8Array()))
  const records: IptcRecord[] = []
  while (reader.remaining >= 5 && reader.u8() === MARK) {
    const [record, number, length] = [reader.u8(), reader.u8(), reader.u16()]
    if (length > reader.remaining) break
    const value = reader.take(length)
    const isForeign = isText(number) && !isUtf8(value)
    if (record === 2) records.push({ number, value: isForeign ? Buffer.from(decodeText(value)) : value })
  }
  return records
}

const dataset = (record: number, number: number, value: Uint8Array) =>
  Buffer.concat([Buffer.from([MARK, record, number, value.length >> 8, value.length & 255]), value])

/** A block with these records in UTF-8. */
export const writeIptc = (records: readonly IptcRecord[]): Buffer =>
  Buffer.concat([
    dataset(1, 90, Buffer.from('\x1b%G')),
    ...records
      .toSorted((a, b) => a.number - b.number)
      .map(({ number, value }) => dataset(2, number, value.subarray(0, 32_000))),
  ])

/** A block as a JPEG has it, within the resources of Photoshop. */
export function iptcResource(block: Uint8Array): Buffer {
  const head = [text(`${PHOTOSHOP}8BIM`), u16(1028, 0), u32(block.length)]
  return Buffer.concat([...head, block, Buffer.alloc(block.length & 1)])
}
