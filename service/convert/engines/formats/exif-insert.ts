/** Puts an EXIF block into finished files. */
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
  for (
    let at = 2;
    at + 4 <= file.length && file[at] === 0xff && ((file[at + 1] ?? 0) & 0xf0) === 0xe0;
    at = rest
  ) {
    rest = at + 2 + file.readUInt16BE(at + 2)
    const own = file[at + 1] === 0xe1 && file.subarray(at + 4, at + 10).equals(EXIF)
    if (!own) parts.push(file.subarray(at, rest))
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
