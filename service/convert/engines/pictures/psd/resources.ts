import type { ByteReader } from '../../common/byte-reader.ts'

/** The parts of the image resources section that a picture needs. */
export interface Resources {
  icc?: Uint8Array
  /** A TIFF stream. */
  exif?: Uint8Array
  xmp?: Uint8Array
  /** Records of IPTC-IIM. */
  iptc?: Uint8Array
  /** Whether the merged picture at the end of the file is valid; undefined if the file does not say. */
  hasMergedPicture?: boolean
  /** Index of the transparent palette entry of an indexed picture. */
  transparentIndex?: number
}

const ids = { iptc: 1028, icc: 1039, transparentIndex: 1047, version: 1057, exif: 1058, xmp: 1060 } as const

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
    else if (id === ids.iptc) resources.iptc = data
    else if (id === ids.version && size >= 5) resources.hasMergedPicture = data[4] !== 0
    else if (id === ids.transparentIndex && size >= 2) {
      resources.transparentIndex = (data[0]! << 8) | data[1]!
    }
  }
  return resources
}
