import { beginsWith, EXIF, frameSize, headerSegments, isFrame, SCAN } from '../formats/jpeg.ts'
import { orientedExif } from '../metadata/exif.ts'
import { withBlocks } from '../metadata/insert.ts'

/** How many possible JPEG starts are tried. */
const CANDIDATE_LIMIT = 1000

/**
 * The largest JPEG anywhere in a camera's file, since cameras put previews in many places and a damaged file no longer
 * says where. It extends to the end of the file; decoders ignore what follows the picture. Lossless ones, which contain
 * the sensor data, are skipped.
 */
export function largestJpeg(bytes: Buffer): Buffer | undefined {
  let best: { at: number; pixels: number } | undefined
  let at = bytes.indexOf(START)
  for (let tried = 0; at >= 0 && tried < CANDIDATE_LIMIT; tried++) {
    const pixels = pixelsOf(bytes, at)
    if (pixels > (best?.pixels ?? 0)) best = { at, pixels }
    at = bytes.indexOf(START, at + START.length)
  }
  return best && bytes.subarray(best.at)
}

const START = Buffer.from([0xff, 0xd8, 0xff])

/** Number of pixels of the JPEG that begins here, 0 if none does. */
function pixelsOf(bytes: Buffer, start: number): number {
  let pixels = 0
  for (const { marker, data } of headerSegments(bytes, start)) {
    if (marker === SCAN) return pixels
    if (!isFrame(marker)) continue
    const size = frameSize(data)
    // Frame types that ordinary decoders accept: baseline, extended, progressive.
    if (!size || marker > 0xc2) return 0
    pixels = size.width * size.height
  }
  return 0
}

/** The JPEG with this EXIF block and orientation, unless it has its own. */
export function withExif(jpeg: Buffer, exif: Uint8Array, orientation: number): Buffer {
  const own = headerSegments(jpeg).some(({ data }) => beginsWith(data, EXIF))
  return own ? jpeg : withBlocks(jpeg, { exif: orientedExif(exif, orientation) })
}
