/** Decoded pictures as engines hand them on: rows from the top, no padding, channels interleaved. */

export interface Pixels {
  /** `width * height * channels` samples; 16-bit samples are in the machine's byte order. */
  data: Uint8Array | Uint16Array
  width: number
  height: number
  /** 1 grey, 2 grey + alpha, 3 RGB, 4 RGB + alpha (alpha is not premultiplied); CMYK is `space: 'cmyk'` with 4 or 5. */
  channels: 1 | 2 | 3 | 4 | 5
  space?: 'rgb' | 'cmyk' | 'lab'
  /** ICC profile the samples are in; sRGB (or plain grey) when absent. */
  icc?: Uint8Array
  /** False when the profile only says what the file told otherwise: it is applied, and never handed on. */
  ownProfile?: boolean
  /** EXIF block (a TIFF stream, without the `Exif\0\0` prefix). */
  exif?: Uint8Array
  /** XMP packet. */
  xmp?: Uint8Array
  /** EXIF orientation 1–8 that still has to be applied; absent when the rows are upright. */
  orientation?: number
  /** True when colour was coded at half the width and height (4:2:0), so that storing it in full gains nothing. */
  halfChroma?: boolean
}

/**
 * Frees the memory of pixels that are no longer needed at once, since the garbage collector may keep it for long. Memory
 * shared with other buffers, as small ones do, is kept.
 */
export function release({ data }: Pixels): void {
  const { buffer } = data
  if (buffer instanceof ArrayBuffer && buffer.byteLength === data.byteLength && !buffer.detached)
    buffer.transfer(0)
}

/** An animation as RGBA frames, each drawn whole. */
export interface Animation {
  width: number
  height: number
  frameCount: number
  /** Yields `frameCount` buffers of `width * height * 4` bytes, not premultiplied. */
  frames: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** Milliseconds each frame is shown. */
  delays: number[]
  /** Times to play; 0 is for ever. */
  loop: number
}
