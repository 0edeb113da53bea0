/** Removes descriptive metadata from pictures without changing their pixels. */
import { emptyExif, orientedExif } from '../metadata/exif.ts'
import { withBlocks } from '../metadata/insert.ts'
import { APP2, beginsWith, SCAN, segments } from './jpeg.ts'
import { readChunks, SIGNATURE } from './png.ts'
import { webpWithBlocks } from './webp.ts'

/** EXIF orientation, 1 (upright) to 8. */
type Orientation = number

/**
 * The same picture without camera data, location, comments and previews; colour profile and orientation are kept.
 * @param kind `jpg`, `png`, `webp`, `gif` or `avif`
 * @param orientation from the EXIF block that is removed
 * @returns undefined if that is impossible without re-encoding the picture
 */
export function withoutMetadata(
  file: Buffer,
  kind: string,
  orientation: Orientation = 1,
): Buffer | undefined {
  if (kind === 'jpg') return leanJpeg(file, orientation)
  // Viewers differ in whether they respect the EXIF orientation of other formats.
  if (orientation !== 1) return undefined
  if (kind === 'png') return leanPng(file)
  if (kind === 'webp') return webpWithBlocks(file, {})
  if (kind === 'gif') return file.includes('XMP DataXMP', 0, 'latin1') ? undefined : file
  // Metadata items are announced in the boxes at the start (ISO/IEC 23008-12, 6.9).
  const head = file.subarray(0, 65_536)
  const described = ['infe', 'Exif', 'application/rdf+xml'].map(word => head.includes(word, 0, 'latin1'))
  return kind === 'avif' && described[0] && !described[1] && !described[2] ? file : undefined
}

/** Keeps JFIF's and Adobe's segments, which say how colours are encoded, and the colour profile. */
function leanJpeg(file: Buffer, orientation: Orientation): Buffer {
  const parts: Buffer[] = [file.subarray(0, 2)]
  for (const { marker, start, end, data } of segments(file)) {
    const isApplication = marker >= 0xe0 && marker <= 0xef
    const isKept =
      marker === 0xe0 || marker === 0xee || (marker === APP2 && beginsWith(data, 'ICC_PROFILE\0'))
    if (marker === SCAN || (isApplication ? isKept : marker !== 0xfe)) parts.push(file.subarray(start, end))
  }
  const lean = Buffer.concat([...parts, Buffer.from([0xff, 0xd9])])
  return orientation === 1 ? lean : withBlocks(lean, { exif: orientedExif(emptyExif(), orientation) })
}

const PNG_METADATA = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'])

function leanPng(file: Buffer): Buffer {
  const kept = readChunks(file).filter(({ type }) => !PNG_METADATA.has(type))
  return Buffer.concat([SIGNATURE, ...kept.map(({ whole }) => whole)])
}
