/** Decoded pictures as exchanged between engines: rows from the top, no padding, channels interleaved. */
import type { Size } from '../common/rectangle.ts'

export interface Pixels {
  /** `width * height * channels` samples; those of more than 8 bits are in the machine's byte order, and floats are linear light. */
  data: Uint8Array | Uint16Array | Float32Array
  width: number
  height: number
  /** 1 grey, 2 grey + alpha, 3 RGB, 4 RGB + alpha (alpha is not premultiplied); CMYK is `space: 'cmyk'` with 4 or 5. */
  channels: 1 | 2 | 3 | 4 | 5
  space?: 'rgb' | 'cmyk' | 'lab'
  /** ICC profile of the samples; sRGB (or plain grey) if absent. */
  icc?: Uint8Array
  /** False if the profile only represents other colour information of the file: it is applied, but not passed on. */
  ownProfile?: boolean
  /** Code points (ITU-T H.273) of its HDR, PQ or HLG, which the profile maps to the range of ordinary screens. */
  hdr?: { primaries: number; transfer: number }
  /** EXIF block (a TIFF stream, without the `Exif\0\0` prefix). */
  exif?: Uint8Array
  /** XMP packet. */
  xmp?: Uint8Array
  /** EXIF orientation 1–8 that still has to be applied; absent if the rows are upright. */
  orientation?: number
  /** Reads its gain map, turned as the rows are, as it stands behind a JPEG. */
  gainMap?: () => Promise<Buffer | undefined>
  /** True if chroma was encoded at half the width and height (4:2:0), so that storing it in full gains nothing. */
  chromaSubsampling420?: boolean
}

/** RGB or RGBA (alpha is not premultiplied) of 8 bits in sRGB. */
export interface Rows extends Size {
  data: Uint8Array
  channels: 3 | 4
}

/** Buffers with room around their samples. */
const roomy = new WeakSet<ArrayBufferLike>()

/** Bytes before and after such samples. */
const ROOM = { before: 8, after: 65_536 }

/** Memory for samples around which a file can be completed, so that they need not be copied into one. */
export function samples(length: number): Uint8Array {
  const buffer = new ArrayBuffer(ROOM.before + length + ROOM.after)
  roomy.add(buffer)
  return new Uint8Array(buffer, ROOM.before, length)
}

/** A file of a head, samples and a tail: in place if there is room for both. */
export function around(head: Uint8Array, { data }: Pixels, tail: Uint8Array): Buffer {
  const { buffer, byteOffset, byteLength } = data
  const rows = Buffer.from(buffer, byteOffset, byteLength)
  const fits = head.length === ROOM.before && tail.length <= ROOM.after
  if (!fits || !roomy.delete(buffer)) return Buffer.concat([head, rows, tail])
  const file = Buffer.from(buffer, 0, head.length + rows.length + tail.length)
  file.set(head)
  file.set(tail, head.length + rows.length)
  return file
}

/**
 * Frees the memory of pixels that are no longer needed at once, since the garbage collector may keep it for long. Memory
 * shared with other buffers, as for small ones, is kept.
 */
export function release({ data }: Pixels): void {
  const { buffer } = data
  if (buffer instanceof ArrayBuffer && buffer.byteLength === data.byteLength && !buffer.detached)
    buffer.transfer(0)
}

/** Whether no pixel of RGBA is transparent. */
export function isOpaque(rgba: Uint8Array): boolean {
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) return false
  return true
}

/** RGBA as RGB. */
export function withoutAlpha(rgba: ArrayLike<number>): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3)
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    rgb[to] = rgba[from]!
    rgb[to + 1] = rgba[from + 1]!
    rgb[to + 2] = rgba[from + 2]!
  }
  return rgb
}

/** RGB as opaque RGBA. */
export function withAlpha(rgb: ArrayLike<number>): Uint8Array {
  const rgba = new Uint8Array((rgb.length / 3) * 4).fill(255)
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) {
    rgba[to] = rgb[from]!
    rgba[to + 1] = rgb[from + 1]!
    rgba[to + 2] = rgb[from + 2]!
  }
  return rgba
}

/** Converts premultiplied colours of RGBA to straight alpha, in place. */
export function unpremultiply(rgba: Uint8Array): Uint8Array {
  for (let i = 3; i < rgba.length; i += 4) {
    const alpha = rgba[i]!
    if (alpha === 255 || alpha === 0) continue
    const factor = 255 / alpha
    for (let channel = i - 3; channel < i; channel++)
      rgba[channel] = Math.min(255, rgba[channel]! * factor + 0.5)
  }
  return rgba
}

/** An animation as complete RGBA frames. */
export interface Animation extends Size {
  frameCount: number
  /** Yields `frameCount` buffers of `width * height * 4` bytes, not premultiplied. */
  frames: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** Milliseconds each frame is shown. */
  delays: number[]
  /** Number of times to play; 0 is endlessly. */
  loop: number
}
