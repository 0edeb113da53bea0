/** Headers of JPEG 2000 files (ISO/IEC 15444-1, annex I). */
import { box, findBox, u16, u32 } from '../../common/iso-boxes.ts'

/** How many channels the colours have that the colour specification numbers: sRGB, grey and sYCC. */
const COLOURS = new Map([
  [16, 3],
  [17, 1],
  [18, 3],
])

/** `cdef`, in which the last channel is the opacity of the whole picture, and those before are its colours. */
function definition(colours: number): Buffer {
  const channels = Array.from({ length: colours }, (_, index) => [index, 0, index + 1])
  return box('cdef', u16(colours + 1, ...channels.flat(), colours, 1, 0))
}

/**
 * A picture with one more channel than it has colours that is not described, as ffmpeg and OpenJPEG write it, with the note that it is
 * the opacity; any other file as it is. ImageMagick would leave it out, or show it alone if it is grey.
 */
export function withOpacity(file: Buffer): Buffer {
  const header = findBox(file, 'jp2h')
  const [image, colour] = header ? [findBox(header, 'ihdr'), findBox(header, 'colr')] : []
  if (!header || !image || !colour || colour.length < 7 || findBox(header, 'cdef')) return file
  const colours = COLOURS.get(colour.readUInt32BE(3))
  if (image.length < 10 || colour[0] !== 1 || !colours || image.readUInt16BE(8) !== colours + 1) return file
  const described = definition(colours)
  const start = header.byteOffset - file.byteOffset
  const size = u32(8 + header.length + described.length)
  return Buffer.concat([
    ...[file.subarray(0, start - 8), size, file.subarray(start - 4, start + header.length)],
    ...[described, file.subarray(start + header.length)],
  ])
}
