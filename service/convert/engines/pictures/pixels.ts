/** Decoded pictures as exchanged between engines: rows from the top, no padding, channels interleaved. */

export interface Pixels {
  /** `width * height * channels` samples; 16-bit samples are in the machine's byte order. */
  data: Uint8Array | Uint16Array
  width: number
  height: number
  /** 1 grey, 2 grey + alpha, 3 RGB, 4 RGB + alpha (alpha is not premultiplied); CMYK is `space: 'cmyk'` with 4 or 5. */
  channels: 1 | 2 | 3 | 4 | 5
  space?: 'rgb' | 'cmyk' | 'lab'
  /** ICC profile of the samples; sRGB (or plain grey) if absent. */
  icc?: Uint8Array
  /** False if the profile only represents other colour information of the file: it is applied, but not passed on. */
  ownProfile?: boolean
  /** EXIF block (a TIFF stream, without the `Exif\0\0` prefix). */
  exif?: Uint8Array
  /** XMP packet. */
  xmp?: Uint8Array
  /** EXIF orientation 1–8 that still has to be applied; absent if the rows are upright. */
  orientation?: number
  /** JPEG of its gain map, stored as the rows are. */
  gainMap?: Buffer
  /** True if chroma was encoded at half the width and height (4:2:0), so that storing it in full gains nothing. */
  chromaSubsampling420?: boolean
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

/** An animation as complete RGBA frames. */
export interface Animation {
  width: number
  height: number
  frameCount: number
  /** Yields `frameCount` buffers of `width * height * 4` bytes, not premultiplied. */
  frames: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** Milliseconds each frame is shown. */
  delays: number[]
  /** Number of times to play; 0 is endlessly. */
  loop: number
}
