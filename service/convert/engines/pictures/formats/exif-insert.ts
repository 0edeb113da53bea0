/** Puts an EXIF block into finished files. */
import { segments } from './jpeg.ts'
import { chunk, readChunks, SIGNATURE } from './png.ts'

/** Longest block that fits into a JPEG segment. */
const SEGMENT_BYTES_LIMIT = 0xffff - 8

const EXIF = Buffer.from('Exif\0\0', 'latin1')

/** The JPEG or PNG with this block instead of its own; unchanged if the block is too long for a JPEG. */
export function insertExif(file: Buffer, exif: Uint8Array): Buffer {
  return file.subarray(0, SIGNATURE.length).equals(SIGNATURE) ? intoPng(file, exif) : intoJpeg(file, exif)
}

function intoJpeg(file: Buffer, exif: Uint8Array): Buffer {
  if (exif.length > SEGMENT_BYTES_LIMIT) return file
  const segment = Buffer.from([0xff, 0xe1, 0, 0])
  segment.writeUInt16BE(exif.length + 8, 2)
  const parts: Uint8Array[] = []
  let rest = 2
  // APP0 to APP15; JFIF must come before the block.
  for (const { marker, start, end, data } of segments(file)) {
    if ((marker & 0xf0) !== 0xe0) break
    rest = end
    const own = marker === 0xe1 && data.subarray(0, EXIF.length).equals(EXIF)
    if (!own) parts.push(file.subarray(start, end))
  }
  const first = parts[0]?.[1] === 0xe0 ? 1 : 0
  parts.splice(first, 0, segment, EXIF, exif)
  return Buffer.concat([file.subarray(0, 2), ...parts, file.subarray(rest)])
}

function intoPng(file: Buffer, exif: Uint8Array): Buffer {
  const parts: Uint8Array[] = [SIGNATURE]
  for (const { type, whole } of readChunks(file)) {
    if (type !== 'eXIf') parts.push(whole)
    if (type === 'IHDR') parts.push(chunk('eXIf', exif))
  }
  return Buffer.concat(parts)
}
