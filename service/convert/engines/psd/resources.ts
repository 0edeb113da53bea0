import { ByteReader } from '../formats/byte-reader.ts'

/** The parts of the image resources section that a picture needs. */
export interface Resources {
  icc?: Uint8Array
  /** A TIFF stream. */
  exif?: Uint8Array
  xmp?: Uint8Array
  /** Whether the merged picture at the end of the file is valid; undefined if the file does not say. */
  hasMergedPicture?: boolean
  /** Index of the transparent palette entry of an indexed picture. */
  transparentIndex?: number
  /** Display colours of extra and multichannel inks, 0–255 RGB, in channel order. */
  inks?: Rgb[]
}

export type Rgb = readonly [number, number, number]

const ids = { inks: 1007, icc: 1039, transparentIndex: 1047, version: 1057, exif: 1058, xmp: 1060 } as const

/** Reads the blocks of the image resources section. A damaged one ends the section, but not the conversion. */
export function readResources(section: ByteReader): Resources {
  const resources: Resources = {}
  while (section.remaining >= 12) {
    section.skip(4) // '8BIM', or another application's signature
    const id = section.u16()
    const nameLength = section.u8()
    const padded = nameLength + ((nameLength + 1) & 1)
    if (section.remaining < padded + 4) break
    section.skip(padded)
    const size = section.u32()
    if (size > section.remaining) break
    const data = section.take(size)
    if (size & 1 && section.remaining > 0) section.skip(1)
    if (size === 0) continue
    if (id === ids.icc && size >= 128) resources.icc = data
    else if (id === ids.exif) resources.exif = data
    else if (id === ids.xmp) resources.xmp = data
    else if (id === ids.version && size >= 5) resources.hasMergedPicture = data[4] !== 0
    else if (id === ids.transparentIndex && size >= 2) {
      resources.transparentIndex = (data[0]! << 8) | data[1]!
    } else if (id === ids.inks) resources.inks = readInks(data)
  }
  return resources
}

/** Reads DisplayInfo: 14 bytes per channel, with a colour space and four components. */
function readInks(data: Uint8Array): Rgb[] {
  const reader = new ByteReader(data)
  const inks: Rgb[] = []
  while (reader.remaining >= 14) {
    const space = reader.u16()
    const parts = [reader.u16(), reader.u16(), reader.u16(), reader.u16()] as const
    reader.skip(4)
    inks.push(inkColor(space, parts))
  }
  return inks
}

/** Photoshop's colour structure as RGB: 0 is RGB, 1 HSB, 2 CMYK (0 is full ink), 8 grey (0–10,000, 0 is white). */
function inkColor(space: number, [a, b, c, d]: readonly [number, number, number, number]): Rgb {
  if (space === 0) return [a / 257, b / 257, c / 257]
  if (space === 2) return [(a * d) / 65535 / 257, (b * d) / 65535 / 257, (c * d) / 65535 / 257]
  if (space === 8) return Array(3).fill(Math.max(0, 255 - a / 39.2)) as unknown as Rgb
  if (space === 1) {
    const [hue, saturation, value] = [(a / 65535) * 6, b / 65535, c / 257]
    const part = (n: number) => {
      const k = (n + hue) % 6
      return value - value * saturation * Math.max(0, Math.min(k, 4 - k, 1))
    }
    return [part(5), part(3), part(1)]
  }
  return [0, 0, 0]
}
