/** Headers of JPEG 2000 files (ISO/IEC 15444-1, annex I). */
import { findBox } from '../../common/iso-boxes.ts'

/** Grey, as the colour specification numbers it. */
const GREY = 17

/** `cdef` for two channels: the first is the colour, the second the opacity of the whole picture. */
const DEFINITION = Buffer.from('00000016636465660002000000000001000100010000', 'hex')

/**
 * A grey picture with a second channel that is not described, as ffmpeg writes it, with the note that it is the opacity; any other
 * file as it is. ImageMagick would show that channel alone.
 */
export function withOpacity(file: Buffer): Buffer {
  const header = findBox(file, 'jp2h')
  const [image, colour] = header ? [findBox(header, 'ihdr'), findBox(header, 'colr')] : []
  if (!header || !image || !colour || colour.length < 7 || findBox(header, 'cdef')) return file
  if (image.length < 10 || image.readUInt16BE(8) !== 2 || colour[0] !== 1) return file
  if (colour.readUInt32BE(3) !== GREY) return file
  const start = header.byteOffset - file.byteOffset
  const size = Buffer.alloc(4)
  size.writeUInt32BE(8 + header.length + DEFINITION.length)
  return Buffer.concat([
    ...[file.subarray(0, start - 8), size, file.subarray(start - 4, start + header.length)],
    ...[DEFINITION, file.subarray(start + header.length)],
  ])
}
