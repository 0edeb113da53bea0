/** Converts the pictures of a document to formats that Markdown and EPUB can show. */

import { PIXEL_LIMIT } from '../common/limits.ts'
import { scaledSize } from '../common/rectangle.ts'
import { readStill } from './avif/still.ts'
import { readBmp } from './bmp/read.ts'
import { readIcon } from './ico/read.ts'
import { readTiffPage } from './magick/read.ts'
import { readPict } from './pict/index.ts'
import type { Pixels } from './pixels.ts'
import { type Encoded, openPicture } from './sharp/picture.ts'
import { sniffKind } from './sharp/sniff.ts'
import { readDrawing, renderDrawing } from './svg/index.ts'

export interface WebPicture {
  mime: string
  bytes: Uint8Array
}

/** Longest edge of a drawing in pixels, and its scale relative to its own size. */
const DRAWING_EDGE = 4000
const DRAWING_SCALE = 2

/** JPEG, PNG and GIF unchanged; other readable formats as PNG; undefined for the rest. */
export async function asWebPicture(bytes: Uint8Array): Promise<WebPicture | undefined> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const read of readersOf(file)) {
    try {
      return await webPicture(await read())
    } catch (error) {
      // The next reader may support more of the format.
      if (!(error instanceof Error)) throw error
    }
  }
  return undefined
}

/** Icons and cursors. */
const ICON = /^00000[12]00$/

type Reader = () => Encoded | Pixels | Promise<Encoded | Pixels>

/** The readers that may support a picture, likeliest first. */
function readersOf(file: Buffer): Reader[] {
  const kind = sniffKind(file)
  if (kind === 'tiff') return [() => ({ encoded: file, strict: true }), () => readTiffPage(file, 0)]
  if (kind === 'avif') return [() => readStill(file)]
  if (kind) return [() => ({ encoded: file })]
  if (file.toString('latin1', 0, 2) === 'BM') return [() => pixelsOf(readBmp(file))]
  if (ICON.test(file.toString('hex', 0, 4))) return [() => largestIcon(file)]
  const head = file.toString('latin1', 0, 1024)
  if (/^(?:\xef\xbb\xbf)?\s*<[\s\S]*<?(?:\w+:)?svg\b/i.test(head)) return [() => drawn(file)]
  return [() => readPict(file)]
}

const pixelsOf = (bitmap: ReturnType<typeof readBmp>) => ('pixels' in bitmap ? bitmap.pixels : bitmap)

function largestIcon(file: Buffer): Pixels | Encoded {
  const [largest] = readIcon(file).entries
  if (!largest) throw new RangeError('an icon without pictures')
  return largest.read()
}

/** Draws an SVG without its own fonts. */
async function drawn(file: Buffer): Promise<Pixels> {
  const drawing = await readDrawing(file)
  const edge = Math.max(drawing.width, drawing.height)
  const scale = Math.min(DRAWING_SCALE, DRAWING_EDGE / edge)
  const { width, height } = scaledSize(drawing, scale)
  return { data: renderDrawing(drawing, width, height, []), width, height, channels: 4 }
}

async function webPicture(source: Encoded | Pixels): Promise<WebPicture> {
  const picture = await openPicture(source)
  const { format } = picture.metadata
  const isShown = format === 'jpeg' || format === 'png' || format === 'gif'
  if (isShown && 'encoded' in source && typeof source.encoded !== 'string')
    return { mime: `image/${format}`, bytes: source.encoded }
  if (picture.width * picture.height > PIXEL_LIMIT / 4) throw new RangeError('too large')
  return { mime: 'image/png', bytes: await picture.open(true).toColourspace('srgb').png().toBuffer() }
}
