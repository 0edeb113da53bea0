/** Segments of JPEG files (ITU-T T.81, annex B). */
import type { Size } from '../../common/rectangle.ts'

export interface JpegSegment {
  marker: number
  /** Offsets of the whole segment, including its marker. */
  start: number
  end: number
  data: Buffer
}

/** Marker of a scan. */
export const SCAN = 0xda

/** Markers of segments in which applications describe a picture. */
export const [APP1, APP2, APP13] = [0xe1, 0xe2, 0xed]

/** What such segments begin with. */
export const EXIF = 'Exif\0\0'
export const XMP = 'http://ns.adobe.com/xap/1.0/\0'
export const PHOTOSHOP = 'Photoshop 3.0\0'

export const beginsWith = (data: Buffer, name: string): boolean =>
  data.toString('latin1', 0, name.length) === name

/** Whether a segment starts a frame: its data are the depth, height, width and components of the picture. */
export const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Width and height in pixels, from the data of a frame; undefined if it is truncated. */
export const frameSize = (data: Buffer): Size | undefined =>
  data.length < 5 ? undefined : { height: data.readUInt16BE(1), width: data.readUInt16BE(3) }

/**
 * The segments before the coded data of the picture that begins at `start`, ending with the scan's own header. Stops at
 * the first byte that does not begin a segment, so it yields nothing if there is no picture.
 */
export function* headerSegments(file: Buffer, start = 0): Generator<{ marker: number; data: Buffer }> {
  for (let at = start + 2; at + 4 <= file.length && file[at] === 0xff; ) {
    const marker = file[at + 1]!
    const length = file.readUInt16BE(at + 2)
    if (marker < 0xc0 || marker === 0xff || length < 2) return
    yield { marker, data: file.subarray(at + 4, at + 2 + length) }
    if (marker === SCAN) return
    at += 2 + length
  }
}

/**
 * Segments of the first picture in a file that is known to decode; a scan extends to the next marker. Bytes between
 * segments are skipped.
 */
export function* segments(file: Buffer): Generator<JpegSegment> {
  let at = 2
  while (at + 4 <= file.length) {
    const marker = file[at] === 0xff ? file[at + 1]! : 0xff
    // A byte between segments, or before a marker.
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === 0xd9) return
    // Markers without content.
    if (marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2
      continue
    }
    const start = at
    let end = Math.min(file.length, at + 2 + file.readUInt16BE(at + 2))
    const data = file.subarray(at + 4, end)
    if (marker === SCAN) end = endOfScan(file, end)
    yield { marker, start, end, data }
    at = end
  }
}

/** Whether any coded data follow the header of the first scan. */
export function hasCodedData(file: Buffer): boolean {
  const scan = segments(file).find(({ marker }) => marker === SCAN)
  return scan !== undefined && scan.end > scan.start + 4 + scan.data.length
}

/** Coded data end at the first marker that is neither a stuffed byte nor a restart marker. */
function endOfScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0 && at + 1 < file.length; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return file.length
}

/** A segment with these data. */
export function segment(marker: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}
