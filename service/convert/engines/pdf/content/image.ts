import { type Handle, pdfium, readUtf8 } from '../pdfium/library.ts'
import { matrixOf } from './graphics.ts'
import type { PdfImage } from './types.ts'

/** Pixels of a picture: rows without padding, 3 or 4 samples of 8 bits per pixel, red first. */
export interface ImagePixels {
  data: Uint8Array
  width: number
  height: number
  channels: 3 | 4
}

export type ImageContent = { jpeg: Uint8Array } | { pixels: ImagePixels }

/** Largest JPEG file that is kept unchanged. */
const JPEG_LIMIT_BYTES = 64 * 2 ** 20
/** Pictures with more pixels are scaled down, and those that are to be as stored. */
const PIXEL_LIMIT = 16_000_000
const STORED_LIMIT = 150_000_000

/** Colour spaces of FPDF_IMAGEOBJ_METADATA whose JPEG files every viewer displays correctly: grey and RGB, also calibrated; and ICC's. */
const PLAIN = [1, 2, 4, 5]
const ICC = 7

/**
 * A picture: its original JPEG file if the page does not alter it, otherwise its pixels as displayed. Null if it is damaged.
 * @param options `asStored`: whether it is to be as the file has it, however the page turns it
 */
export function readImage(
  document: Handle,
  page: Handle,
  image: PdfImage,
  { asStored = false } = {},
): ImageContent | null {
  return originalJpeg(page, image.handle, asStored) ?? rendered(document, page, image, asStored)
}

function originalJpeg(page: Handle, image: Handle, asStored: boolean): { jpeg: Uint8Array } | null {
  const library = pdfium()
  if (library.filterCount(image) !== 1) return null
  const filter = readUtf8((out, bytes) => library.filter(image, 0, out, bytes))
  if (filter !== 'DCTDecode') return null
  const positioned = matrixOf(image)
  const upright =
    asStored ||
    (positioned[0] > 0 && positioned[3] > 0 && Math.abs(positioned[1]) + Math.abs(positioned[2]) < 0.01)
  if (!upright) return null
  // unsigned width, height; float densities; unsigned bits per pixel; int colour space, marked content.
  const metadata = new Uint32Array(7)
  if (!library.imageMetadata(image, page, metadata)) return null
  const [bits, colours] = [metadata[4]!, metadata[5]!]
  if (!PLAIN.includes(colours) && !(colours === ICC && (bits === 8 || bits === 24))) return null
  const bytes = Number(library.imageData(image, null, 0))
  if (bytes <= 0 || bytes > JPEG_LIMIT_BYTES) return null
  const jpeg = new Uint8Array(bytes)
  library.imageData(image, jpeg, bytes)
  return jpeg[0] === 0xff && jpeg[1] === 0xd8 && !isMasked(image) ? { jpeg } : null
}

/** Whether parts of a picture are transparent, which its JPEG file cannot express. */
const isMasked = (image: Handle) => pdfium().hasTransparency(image) !== 0

/** Renders a picture. PDFium renders at the size of the matrix, so the matrix is temporarily set to the pixel size. */
function rendered(
  document: Handle,
  page: Handle,
  { handle, pixelWidth, pixelHeight }: PdfImage,
  asStored: boolean,
): ImageContent | null {
  const library = pdfium()
  const positioned = matrixOf(handle)
  const width = Math.hypot(positioned[0], positioned[1])
  const height = Math.hypot(positioned[2], positioned[3])
  if (!(width > 0) || !(height > 0) || pixelWidth === 0 || pixelHeight === 0) return null
  const smaller = Math.min(1, Math.sqrt((asStored ? STORED_LIMIT : PIXEL_LIMIT) / (pixelWidth * pixelHeight)))
  const [across, down] = [(pixelWidth * smaller) / width, (pixelHeight * smaller) / height]
  const scaled = asStored
    ? [pixelWidth * smaller, 0, 0, pixelHeight * smaller, 0, 0]
    : [positioned[0] * across, positioned[1] * across, positioned[2] * down, positioned[3] * down, 0, 0]
  library.setObjectMatrix(handle, Float32Array.from(scaled))
  const bitmap = library.imageBitmap(document, page, handle)
  library.setObjectMatrix(handle, Float32Array.from(positioned))
  if (!bitmap) return null
  try {
    return { pixels: pixelsOf(bitmap) }
  } finally {
    library.destroyBitmap(bitmap)
  }
}

/** Formats of bitmaps. */
const GREY_BITMAP = 1
const BGR_BITMAP = 2
const BGRA_BITMAP = 4

function pixelsOf(bitmap: Handle): ImagePixels {
  const library = pdfium()
  const width = library.bitmapWidth(bitmap)
  const height = library.bitmapHeight(bitmap)
  const stride = library.bitmapStride(bitmap)
  const format = library.bitmapFormat(bitmap)
  const source = library.view(library.bitmapData(bitmap), stride * height)
  const samples = format === GREY_BITMAP ? 1 : format === BGR_BITMAP ? 3 : 4
  const channels = format === BGRA_BITMAP ? 4 : 3
  const data = new Uint8Array(width * height * channels)
  for (let row = 0; row < height; row++) {
    let from = row * stride
    let to = row * width * channels
    for (let column = 0; column < width; column++, from += samples, to += channels) {
      data[to] = source[samples === 1 ? from : from + 2]!
      data[to + 1] = source[samples === 1 ? from : from + 1]!
      data[to + 2] = source[from]!
      if (channels === 4) data[to + 3] = source[from + 3]!
    }
  }
  return { data, width, height, channels }
}
