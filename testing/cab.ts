/** Writes cabinets of Windows, as [MS-CAB] describes them: one folder, each block packed with MSZIP. */
import { deflateRawSync } from 'node:zlib'

const BLOCK_BYTES = 32_768
const MSZIP = 1
const UNICODE_NAME = 0x80

/** @param dosTime date in the upper half, time in the lower */
export function cabOf(members: readonly { name: string; data: Buffer; dosTime: number }[]): Buffer {
  const content = Buffer.concat(members.map(({ data }) => data))
  const count = Math.ceil(content.length / BLOCK_BYTES)
  const blocks = Array.from({ length: count }, (_, index) => {
    const plain = content.subarray(index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES)
    const packed = Buffer.concat([Buffer.from('CK'), deflateRawSync(plain)])
    const header = Buffer.alloc(8)
    header.writeUInt16LE(packed.length, 4)
    header.writeUInt16LE(plain.length, 6)
    return Buffer.concat([header, packed])
  })
  let at = 0
  const files = members.map(({ name, data, dosTime }) => {
    const header = Buffer.alloc(16)
    header.writeUInt32LE(data.length, 0)
    header.writeUInt32LE(at, 4)
    header.writeUInt16LE(dosTime >>> 16, 10)
    header.writeUInt16LE(dosTime & 0xffff, 12)
    header.writeUInt16LE(UNICODE_NAME, 14)
    at += data.length
    return Buffer.concat([header, Buffer.from(`${name}\0`)])
  })
  const listing = Buffer.concat(files)
  const folder = Buffer.alloc(8)
  folder.writeUInt32LE(44 + listing.length, 0)
  folder.writeUInt16LE(count, 4)
  folder.writeUInt16LE(MSZIP, 6)
  const header = Buffer.alloc(36)
  header.write('MSCF')
  const all = Buffer.concat([header, folder, listing, ...blocks])
  all.writeUInt32LE(all.length, 8)
  all.writeUInt32LE(44, 16)
  all.set([3, 1], 24)
  all.writeUInt16LE(1, 26)
  all.writeUInt16LE(members.length, 28)
  return all
}
