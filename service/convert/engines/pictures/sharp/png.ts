import { endianness } from 'node:os'
import { deflateSync } from 'node:zlib'
import { orientedExif } from '../formats/exif.ts'
import { chunkParts, header, SIGNATURE } from '../formats/png.ts'
import type { Pixels } from '../pixels.ts'
import { wrapTiff } from './tiff.ts'

/** PNG's colour types by number of channels. */
const COLOUR_TYPES = [0, 0, 4, 2, 6]

const latin1 = (text: string) => Buffer.from(text, 'latin1')

/**
 * An uncompressed PNG file in memory with decoded grey or RGB pixels: unlike a TIFF it gives libvips the EXIF block as
 * well as profile and XMP. Other colour spaces get a TIFF. Layout: PNG specification, third edition.
 */
export function wrapPng(pixels: Pixels): Buffer {
  const { data, width, height, channels, space = 'rgb', icc, exif, xmp, orientation = 1 } = pixels
  // PNG has no CMYK and no Lab; those go without their EXIF block.
  if (space !== 'rgb' || channels === 5) return wrapTiff(pixels)
  const depth = data.BYTES_PER_ELEMENT * 8
  const line = width * channels * data.BYTES_PER_ELEMENT
  const samples = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  // Each row begins with its filter type: none.
  const rows = Buffer.alloc((line + 1) * height)
  for (let row = 0; row < height; row++) {
    samples.copy(rows, row * (line + 1) + 1, row * line, (row + 1) * line)
    if (depth === 16 && endianness() === 'LE') {
      rows.subarray(row * (line + 1) + 1, (row + 1) * (line + 1)).swap16()
    }
  }
  return Buffer.concat([
    SIGNATURE,
    ...chunkParts('IHDR', header({ width, height, depth, colorType: COLOUR_TYPES[channels]! })),
    ...(icc ? chunkParts('iCCP', latin1('Profile\0\0'), deflateSync(icc)) : []),
    ...(exif ? chunkParts('eXIf', orientedExif(exif, orientation)) : []),
    ...(xmp ? chunkParts('iTXt', latin1('XML:com.adobe.xmp\0\0\0\0\0'), xmp) : []),
    ...chunkParts('IDAT', deflateSync(rows, { level: 0 })),
    ...chunkParts('IEND'),
  ])
}
