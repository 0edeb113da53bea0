import { frameSize, headerSegments, isFrame } from '../formats/jpeg.ts'

export interface ImageDimensions {
  type: 'png' | 'jpeg' | 'gif' | 'webp'
  width: number
  height: number
}

/** Reads type and size from the header of a PNG, JPEG, GIF or WebP; undefined if it is none of them. */
export function imageDimensions(data: Uint8Array): ImageDimensions | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  try {
    const magic = view.getUint32(0)
    if (magic === 0x89504e47) return { type: 'png', width: view.getUint32(16), height: view.getUint32(20) }
    if (magic === 0x47494638)
      return { type: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
    if (magic === 0x52494646 && view.getUint32(8) === 0x57454250) return webp(view)
    if (magic >>> 8 === 0xffd8ff) return jpeg(Buffer.from(data.buffer, data.byteOffset, data.byteLength))
  } catch {
    // A read past the end: a truncated header has no size.
  }
  return undefined
}

/** https://developers.google.com/speed/webp/docs/riff_container and the bitstream headers of VP8 and VP8L. */
function webp(view: DataView): ImageDimensions | undefined {
  const chunk = view.getUint32(12)
  if (chunk === 0x56503820) {
    return {
      type: 'webp',
      width: view.getUint16(26, true) & 0x3fff,
      height: view.getUint16(28, true) & 0x3fff,
    }
  }
  if (chunk === 0x5650384c) {
    const bits = view.getUint32(21, true)
    return { type: 'webp', width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (chunk !== 0x56503858) return undefined
  const uint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
  return { type: 'webp', width: uint24(24) + 1, height: uint24(27) + 1 }
}

function jpeg(file: Buffer): ImageDimensions | undefined {
  const frame = headerSegments(file).find(({ marker }) => isFrame(marker))
  const size = frame && frameSize(frame.data)
  return size && { type: 'jpeg', ...size }
}
