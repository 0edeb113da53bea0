import { endianness } from 'node:os'
import { TiffWriter } from '../formats/tiff.ts'
import { around, type Pixels } from '../pixels.ts'

/**
 * An uncompressed TIFF file in memory with decoded pixels. libvips reads colour profile, depth, colour space and
 * orientation from it, none of which its raw input supports. Layout: TIFF 6.0, in the machine's byte order, one strip.
 */
export function wrapTiff(pixels: Pixels): Buffer {
  const { width, height, channels, space = 'rgb', icc, orientation = 1 } = pixels
  const colours = space === 'cmyk' ? 4 : channels < 3 ? 1 : 3
  const bytes = pixels.data.byteLength
  const bits = pixels.data.BYTES_PER_ELEMENT * 8
  const photometric = space === 'cmyk' ? 5 : space === 'lab' ? 8 : colours === 1 ? 1 : 2

  const writer = new TiffWriter(endianness() === 'LE')
  const entries = [
    writer.entry(256, 4, width),
    writer.entry(257, 4, height),
    writer.entry(258, 3, ...Array<number>(channels).fill(bits)),
    writer.entry(259, 3, 1),
    writer.entry(262, 3, photometric),
    writer.entry(274, 3, orientation),
    writer.entry(277, 3, channels),
    writer.entry(278, 4, height),
    writer.entry(279, 4, bytes),
    writer.entry(284, 3, 1),
    ...(pixels.data instanceof Float32Array ? [writer.entry(339, 3, ...Array<3>(channels).fill(3))] : []),
    ...(channels > colours ? [writer.entry(338, 3, 2)] : []),
    ...(icc ? [{ tag: 34_675, type: 7, count: icc.length, value: icc }] : []),
  ]
  const start = 8
  // Directories begin at even bytes.
  const padding = bytes & 1
  const at = start + bytes + padding
  const directory = writer.directory([...entries, writer.entry(273, 4, start)], at)
  return around(writer.header(at), pixels, Buffer.concat([Buffer.alloc(padding), directory]))
}
