import { crc32, deflateSync } from 'node:zlib'
import { orientedExif } from '../exif.ts'
import type { Pixels } from '../pixels.ts'
import { wrapTiff } from './tiff.ts'

/** PNG's colour types by number of channels. */
const COLOUR_TYPES = [0, 0, 4, 2, 6]

function chunk(type: string, ...parts: Uint8Array[]): Uint8Array[] {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(parts.reduce((sum, part) => sum + part.length, 0))
  head.write(type, 4, 'latin1')
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE(parts.reduce((sum, part) => crc32(part, sum), crc32(head.subarray(4))))
  return [head, ...parts, tail]
}

const latin1 = (text: string) => Buffer.from(text, 'latin1')

/**
 * A PNG file in memory around decoded grey or RGB pixels, uncompressed: unlike a TIFF it gives libvips the EXIF
 * block as well as profile and XMP. Other colour spaces get a TIFF. Layout: PNG specification, third edition.
 */
export function wrapPng(pixels: Pixels): Buffer {
  const { data, width, height, channels, space = 'rgb', icc, exif, xmp, orientation = 1 } = pixels
  // PNG has no CMYK and no Lab; those go without their EXIF block.
  if (space !== 'rgb' || channels === 5) return wrapTiff(pixels)
  const line = width * channels * data.BYTES_PER_ELEMENT
  const samples = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  // Each row begins with its filter: none.
  const rows = Buffer.alloc((line + 1) * height)
  for (let row = 0; row < height; row++) {
    samples.copy(rows, row * (line + 1) + 1, row * line, (row + 1) * line)
    if (data.BYTES_PER_ELEMENT === 2 && littleEndian) {
      rows.subarray(row * (line + 1) + 1, (row + 1) * (line + 1)).swap16()
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = data.BYTES_PER_ELEMENT * 8
  header[9] = COLOUR_TYPES[channels]!
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    ...chunk('IHDR', header),
    ...(icc ? chunk('iCCP', latin1('Profile\0\0'), deflateSync(icc)) : []),
    ...(exif ? chunk('eXIf', orientedExif(exif, orientation)) : []),
    ...(xmp ? chunk('iTXt', latin1('XML:com.adobe.xmp\0\0\0\0\0'), xmp) : []),
    ...chunk('IDAT', deflateSync(rows, { level: 0 })),
    ...chunk('IEND'),
  ])
}

const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
