import type { ThumbnailAnswer } from '../client.ts'

/** Types of pictures that browsers draw. */
const drawable = new Set(['image/avif', 'image/bmp', 'image/gif', 'image/jpeg', 'image/png', 'image/webp'])

/** What a picture may take of the page's memory while it is drawn. */
const MAX_BYTES = 50e6
const MAX_PIXELS = 40e6

const QUALITY = 0.8

const none: ThumbnailAnswer = { kind: 'none' }

/**
 * A thumbnail of a picture that has just been added, drawn by the browser before the service has the file; none if it cannot.
 * @param edge size in pixels of the square that it fits into
 */
export async function drawThumbnail(file: File | undefined, edge: number): Promise<ThumbnailAnswer> {
  if (!file || !drawable.has(file.type) || file.size > MAX_BYTES) return none
  const { width, height } = await sizeOf(file)
  if (width === 0 || width * height > MAX_PIXELS) return none
  const scale = Math.min(1, edge / Math.max(width, height))
  const size = {
    resizeWidth: Math.max(1, Math.round(width * scale)),
    resizeHeight: Math.max(1, Math.round(height * scale)),
  }
  const bitmap = await createImageBitmap(file, { ...size, resizeQuality: 'medium' })
  try {
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
    return { kind: 'picture', picture: await canvas.convertToBlob({ type: 'image/webp', quality: QUALITY }) }
  } finally {
    bitmap.close()
  }
}

/** Size of a picture in pixels, upright, which is known before it is decoded. */
async function sizeOf(file: File): Promise<{ width: number; height: number }> {
  const url = URL.createObjectURL(file)
  try {
    const picture = new Image()
    await new Promise((resolve, reject) => {
      picture.addEventListener('load', resolve)
      picture.addEventListener('error', () => reject(new Error('no picture')))
      picture.src = url
    })
    return { width: picture.naturalWidth, height: picture.naturalHeight }
  } finally {
    URL.revokeObjectURL(url)
  }
}
