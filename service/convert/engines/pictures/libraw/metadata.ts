import { boxes } from '../../common/iso-boxes.ts'
import { beginsWith, EXIF, headerSegments } from '../formats/jpeg.ts'
import { describeExif, type ExifDescription } from '../metadata/exif.ts'

/** Canon's box in CR3 files for what TIFF-based files have in directories. */
const CANON = '85c0b687820f11e08111f4ce462b6a48'

/**
 * EXIF of a RAW file: nearly all are based on TIFF; CR3 has the directories in boxes, RAF in its preview. Undefined if
 * there is none or it is damaged.
 */
export function rawExif(file: Uint8Array): ExifDescription | undefined {
  try {
    const head = Buffer.from(file.subarray(0, 16)).toString('latin1')
    if (head.slice(4, 8) === 'ftyp') return cr3Exif(file)
    if (head.startsWith('FUJIFILMCCD-RAW')) return rafExif(file)
    return describeExif({ main: file })
  } catch {
    return undefined
  }
}

function cr3Exif(file: Uint8Array): ExifDescription | undefined {
  const parts = new Map<string, Uint8Array>()
  for (const { type, body } of boxes(file)) {
    if (type !== 'moov') continue
    for (const inner of boxes(body)) {
      if (inner.type !== 'uuid' || Buffer.from(inner.body.subarray(0, 16)).toString('hex') !== CANON) continue
      for (const part of boxes(inner.body.subarray(16))) parts.set(part.type, part.body)
    }
    break
  }
  const main = parts.get('CMT1')
  return main && describeExif({ main, exif: parts.get('CMT2'), gps: parts.get('CMT4') })
}

/** The JPEG's position is at byte 84; its first segment is EXIF. */
function rafExif(file: Uint8Array): ExifDescription | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const data = headerSegments(bytes, bytes.readUInt32BE(84)).next().value?.data
  return data && beginsWith(data, EXIF) ? describeExif({ main: data.subarray(EXIF.length) }) : undefined
}
