/** Decodes what is left of a truncated picture with Skia, the graphics library of browsers. */
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { frameSize, headerSegments, isFrame } from '../formats/jpeg.ts'
import { webpSize } from '../formats/webp.ts'
import type { Pixels } from '../pixels.ts'

/** Maximum number of pixels of a partially read picture: Skia holds it twice. */
const PIXEL_LIMIT = 100_000_000

/** Width and height from the header, by kind. */
const sizes = {
  jpg: (file: Buffer) => {
    const frame = headerSegments(file).find(({ marker }) => isFrame(marker))
    return frame && frameSize(frame.data)
  },
  gif: (file: Buffer) => ({ width: file.readUInt16LE(6), height: file.readUInt16LE(8) }),
  png: (file: Buffer) => ({ width: file.readUInt32BE(16), height: file.readUInt32BE(20) }),
  webp: webpSize,
}

export type PartialKind = keyof typeof sizes

/**
 * Decodes a picture as far as its file goes, in sRGB. Missing parts are transparent.
 * @returns undefined if nothing can be read
 */
export async function decodePartial(file: Buffer, kind: PartialKind): Promise<Pixels | undefined> {
  const size = file.length < 26 ? undefined : sizes[kind](file)
  if (!size || size.width * size.height > PIXEL_LIMIT) return undefined
  const image = await loadImage(file).catch(() => undefined)
  if (!image || image.width < 1 || image.height < 1) return undefined
  const { width, height } = image
  const canvas = createCanvas(width, height)
  canvas.getContext('2d').drawImage(image, 0, 0)
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height)
  canvas.width = 0
  canvas.height = 0
  const empty = data.every((value, index) => index % 4 !== 3 || value === 0)
  return empty ? undefined : { data: new Uint8Array(data.buffer), width, height, channels: 4 }
}
