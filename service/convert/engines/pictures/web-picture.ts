/** Converts the pictures of a document to formats that Markdown and EPUB can show. */

import { DamagedFile } from '../common/damage.ts'
import { PIXEL_LIMIT } from '../common/limits.ts'
import { scaledSize } from '../common/rectangle.ts'
import { readStill } from './avif/still.ts'
import { readBmp } from './bmp/read.ts'
import { readHdr } from './hdr/read.ts'
import { readIcon } from './ico/read.ts'
import { readPicture, readTiffPage } from './magick/read.ts'
import { readPict } from './pict/index.ts'
import type { Pixels } from './pixels.ts'
import { readPsd } from './psd/index.ts'
import { type Encoded, openPicture } from './sharp/picture.ts'
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
  const head = file.toString('latin1', 0, HEAD_BYTES)
  const [, ...likely] = readers.find(([start]) => start.test(head)) ?? [/^/]
  for (const read of likely) {
    try {
      return await webPicture(await read(file))
    } catch (error) {
      // The next reader may support more of the format.
      if (!(error instanceof Error)) throw error
    }
  }
  return undefined
}

type Reader = (file: Buffer) => Encoded | Pixels | Promise<Encoded | Pixels>

const encoded: Reader = file => ({ encoded: file })

/** The readers of pictures by the start of their files, in Latin-1; those of one format with the likeliest first. */
const readers: readonly [start: RegExp, ...Reader[]][] = [
  [/^(\xff\xd8\xff|\x89PNG\r\n|GIF8|RIFF.{4}WEBP)/s, encoded],
  [/^(II[*+]\0|MM\0[*+])/, file => ({ encoded: file, strict: true }), file => readTiffPage(file, 0)],
  [/^.{4}ftypavi[fs]/s, file => readStill(file)],
  [/^.{4}ftyp/s, heic],
  [/^BM/, file => pixelsOf(readBmp(file))],
  [/^\0\0[^\0]\0/, largestIcon],
  [/^8BPS/, file => readPsd(file, () => {})],
  [/^#\?(RADIANCE|RGBE)/, file => readHdr(file)],
  [/^(\0{3}.jP {2}|\xffO\xffQ)/s, file => readPicture(file, 'jp2')],
  [/^(\0{3}.JXL |\xff\n)/s, file => readPicture(file, 'jxl')],
  [/^DDS /, file => readPicture(file, 'dds')],
  [/^qoif/, file => readPicture(file, 'qoi')],
  [/^(?:\xef\xbb\xbf)?\s*<[\s\S]*<?(?:\w+:)?svg\b/i, drawn],
  [/^/, file => readPict(file)],
]

/** How many bytes are looked at. */
const HEAD_BYTES = 1024

async function heic(file: Buffer): Promise<Pixels | Encoded> {
  const heif = await import('./heif/index.ts')
  const pixels = await heif.decodeHeif(file)
  return pixels === heif.AVIF ? readStill(file) : pixels
}

const pixelsOf = (bitmap: ReturnType<typeof readBmp>) => ('pixels' in bitmap ? bitmap.pixels : bitmap)

function largestIcon(file: Buffer): Pixels | Encoded {
  const [largest] = readIcon(file).entries
  if (!largest) throw new DamagedFile('an icon without pictures')
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
  if (picture.width * picture.height > PIXEL_LIMIT / 4) throw new DamagedFile('too large')
  return { mime: 'image/png', bytes: await picture.open(true).toColourspace('srgb').png().toBuffer() }
}
