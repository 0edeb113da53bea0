import { HEAD_BYTES, pictureKind } from '../../../../../shared/picture-signatures.ts'
import { ownValue } from '../../../common/own-value.ts'
import { scaledSize } from '../../../common/rectangle.ts'
import { decodePicture } from '../../../pictures/decode.ts'
import { prepare } from '../../../pictures/sharp/encode.ts'
import { encodings } from '../../../pictures/sharp/encodings.ts'
import { openPicture, type Picture } from '../../../pictures/sharp/picture.ts'
import { drawPicture } from '../../../pictures/svg/index.ts'

/** A picture in a format of Kindle files. */
export interface KindlePicture {
  mime: 'image/jpeg' | 'image/png' | 'image/gif'
  bytes: Uint8Array
}

/** Maximum size of a cover in lists of books. */
const THUMBNAIL = { width: 180, height: 240 }
/** Largest picture that Kindle's publishing guidelines allow; Kindle's converters reject larger ones. */
const LARGEST_BYTES = 5_000_000
/** Longest edge in pixels to which pictures that are too large are scaled. */
const REDUCED_EDGE = 2400
/** Longest edge in pixels of a rendered SVG document. */
const DRAWN_EDGE = 1600
/** Size in bytes above which a rendered SVG document probably contains photographs. */
const PHOTOGRAPH_BYTES = 300_000
const QUALITY = 90
/** Background colour of transparent pictures that become JPEG. */
const PAPER = '#ffffff'

const mimes = { jpg: 'image/jpeg', png: 'image/png', gif: 'image/gif' } as const

/** Detects the type of a picture from its first bytes. */
export const pictureType = (bytes: Uint8Array): KindlePicture['mime'] | undefined =>
  ownValue(mimes, pictureKind(Buffer.from(bytes.subarray(0, HEAD_BYTES))) ?? '')

/**
 * Converts a picture to a format that Kindle supports: JPEG, PNG and GIF are kept unless they are too large; others become
 * JPEG, or PNG if they are transparent.
 * @throws JobFailure if it cannot be read
 */
export async function kindlePicture(bytes: Uint8Array): Promise<KindlePicture> {
  const mime = pictureType(bytes)
  if (mime && bytes.length <= LARGEST_BYTES) return { mime, bytes }
  const picture = await openPicture(await decodePicture(bytes))
  if (mime === 'image/gif') return { mime, bytes }
  const target = picture.alpha ? 'png' : 'jpg'
  const longest = Math.max(picture.width, picture.height)
  const made = await encoded(picture, target, mime ? Math.min(1, REDUCED_EDGE / longest) : 1)
  if (made.bytes.length <= LARGEST_BYTES) return made
  return encoded(picture, 'jpg', Math.min(1, REDUCED_EDGE / longest))
}

/**
 * Converts a picture for readers that support only JPEG and GIF.
 * @throws JobFailure if it cannot be read
 */
export async function oldPicture(picture: KindlePicture): Promise<KindlePicture> {
  if (picture.mime !== 'image/png') return picture
  const opened = await openPicture({ encoded: picture.bytes })
  const { isPalette } = opened.metadata
  return encoded(opened, isPalette ? 'gif' : 'jpg', 1)
}

/** A small JPEG of a cover. */
export async function thumbnail(cover: KindlePicture): Promise<Uint8Array> {
  const picture = await openPicture({ encoded: cover.bytes })
  const scale = Math.min(1, THUMBNAIL.width / picture.width, THUMBNAIL.height / picture.height)
  return (await encoded(picture, 'jpg', scale)).bytes
}

/**
 * Renders SVG as a picture.
 * @param svg the document, with everything it shows embedded in it
 * @throws JobFailure if it cannot be rendered
 */
export async function drawnPicture(svg: Uint8Array): Promise<KindlePicture> {
  const picture = await openPicture(await drawPicture(Buffer.from(svg), DRAWN_EDGE))
  const drawn = await encoded(picture, 'png', 1)
  if (drawn.bytes.length <= PHOTOGRAPH_BYTES) return drawn
  const photograph = await encoded(picture, 'jpg', 1)
  return photograph.bytes.length < drawn.bytes.length / 2 ? photograph : drawn
}

async function encoded(picture: Picture, target: keyof typeof mimes, scale: number): Promise<KindlePicture> {
  const size = scale < 1 ? scaledSize(picture, scale) : undefined
  const settings = { quality: QUALITY, smart: null, keepsProfile: false, background: PAPER, size }
  const [encode] = encodings(target, settings, picture)
  const bytes = await encode!(prepare(picture, target, settings, true)).toBuffer()
  return { mime: mimes[target], bytes }
}
