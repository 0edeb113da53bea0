import type { Pixels } from '../pixels.ts'

/**
 * A TIFF file in memory around decoded pixels, uncompressed. libvips reads colour profiles, depth, colour space
 * and orientation from it, none of which its raw input can carry. Layout: TIFF 6.0, little or big endian as the
 * machine is, one strip.
 */
export function wrapTiff(pixels: Pixels): Buffer {
  const { width, height, channels, space = 'rgb', icc, xmp, orientation = 1 } = pixels
  const colours = space === 'cmyk' ? 4 : channels < 3 ? 1 : 3
  const bits = pixels.data.BYTES_PER_ELEMENT * 8
  const strip = Buffer.from(pixels.data.buffer, pixels.data.byteOffset, pixels.data.byteLength)
  const photometric = space === 'cmyk' ? 5 : space === 'lab' ? 8 : colours === 1 ? 1 : 2

  const tags: [tag: number, type: 1 | 3 | 4 | 7, values: number[] | Uint8Array][] = [
    [256, 4, [width]],
    [257, 4, [height]],
    [258, 3, Array<number>(channels).fill(bits)],
    [259, 3, [1]],
    [262, 3, [photometric]],
    [273, 4, [0]],
    [274, 3, [orientation]],
    [277, 3, [channels]],
    [278, 4, [height]],
    [279, 4, [strip.length]],
    [284, 3, [1]],
  ]
  if (channels > colours) tags.push([338, 3, [2]])
  if (xmp) tags.push([700, 1, xmp])
  if (icc) tags.push([34675, 7, icc])

  const sizes = { 1: 1, 3: 2, 4: 4, 7: 1 }
  const directory = 8
  let end = directory + 2 + tags.length * 12 + 4
  const places = tags.map(([, type, values]) => {
    const size = values.length * sizes[type]
    if (size <= 4) return 0
    const place = end
    end += size + (size & 1)
    return place
  })

  const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
  const header = Buffer.alloc(end)
  const view = new DataView(header.buffer, header.byteOffset)
  const put = (type: 1 | 3 | 4 | 7, at: number, value: number) => {
    if (sizes[type] === 4) view.setUint32(at, value, littleEndian)
    else if (sizes[type] === 2) view.setUint16(at, value, littleEndian)
    else view.setUint8(at, value)
  }
  header.write(littleEndian ? 'II' : 'MM', 'latin1')
  put(3, 2, 42)
  put(4, 4, directory)
  put(3, directory, tags.length)
  for (const [index, [tag, type, values]] of tags.entries()) {
    const at = directory + 2 + index * 12
    const place = places[index] || at + 8
    put(3, at, tag)
    put(3, at + 2, type)
    put(4, at + 4, values.length)
    if (places[index]) put(4, at + 8, place)
    if (values instanceof Uint8Array) header.set(values, place)
    else
      for (const [i, value] of values.entries()) put(type, place + i * sizes[type], tag === 273 ? end : value)
  }
  return Buffer.concat([header, strip])
}
