import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

/** The eight bytes every PNG file begins with. */
export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A PNG chunk: length, type, data, checksum over type and data. */
export function chunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + data.length)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(type, 4, 'latin1')
  bytes.set(data, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
  return bytes
}

/** The chunks of a PNG file up to IEND or its broken end; checksums are left to the decoder. */
export function* readChunks(file: Buffer): Generator<{ type: string; data: Buffer }> {
  let at = SIGNATURE.length
  while (at + 12 <= file.length) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    if (at + 12 + length > file.length) return
    yield { type, data: file.subarray(at + 8, at + 8 + length) }
    if (type === 'IEND') return
    at += 12 + length
  }
}

/** Whether a PNG file reaches its end, and did not break off before. */
export const isWholePng = (file: Buffer): boolean => readChunks(file).some(({ type }) => type === 'IEND')

/** Whether a PNG file has a chunk of this type before its picture data. */
export async function hasChunk(path: string, wanted: string): Promise<boolean> {
  const file = await open(path)
  try {
    const header = Buffer.alloc(8)
    for (let at = SIGNATURE.length; ; ) {
      if ((await file.read(header, 0, 8, at)).bytesRead < 8) return false
      const type = header.toString('latin1', 4, 8)
      if (type === wanted) return true
      if (type === 'IDAT' || type === 'IEND') return false
      at += 12 + header.readUInt32BE(0)
    }
  } finally {
    await file.close()
  }
}
