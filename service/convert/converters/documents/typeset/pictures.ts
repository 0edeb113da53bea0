import { type Document, picturesIn } from '../../../engines/documents/model.ts'
import type { TypstPicture } from '../../../engines/documents/typst/compiler.ts'
import { sharp } from '../../../engines/pictures/sharp/load.ts'
import { asWebPicture } from '../../../engines/pictures/web-picture.ts'

/** A picture of the document: its file, and its size in points at 96 pixels per inch. */
export interface KnownPicture extends TypstPicture {
  width: number
  height: number
}

/** Further pictures are left out. */
const MAX_PICTURES = 2000
/** Pixels of one picture; larger ones are reduced. */
const MAX_PIXELS = 40_000_000

/** The pictures in a document's file by reference, as Typst takes them; undefined for one that cannot be read. */
export async function picturesOf(document: Document): Promise<Map<string, KnownPicture | undefined>> {
  const pictures = new Map<string, KnownPicture | undefined>()
  for (const { source } of picturesIn(document)) {
    if (!('file' in source) || pictures.has(source.file) || pictures.size >= MAX_PICTURES) continue
    const bytes = document.file(source.file)
    const path = `/${pictures.size + 1}`
    pictures.set(source.file, bytes && (await readPicture(bytes, path)))
  }
  return pictures
}

async function readPicture(bytes: Uint8Array, path: string): Promise<KnownPicture | undefined> {
  try {
    return await asPicture(Buffer.from(bytes), path)
  } catch {
    const shown = await asWebPicture(bytes)
    return shown && asPicture(Buffer.from(shown.bytes), path).catch(() => undefined)
  }
}

/** Ordinary JPEG files are used unchanged; everything else is converted to PNG. */
async function asPicture(bytes: Buffer, name: string): Promise<KnownPicture> {
  const open = (density?: number) =>
    sharp(bytes, { limitInputPixels: MAX_PIXELS * 4, failOn: 'error', ...(density ? { density } : {}) })
  const { format, width, height, space, orientation = 1 } = await open().metadata()
  const turned = orientation > 4
  const size = { width: (turned ? height : width) * 0.75, height: (turned ? width : height) * 0.75 }
  const isPlain = space === 'srgb' || space === 'b-w'
  const fits = width * height <= MAX_PIXELS
  if (format === 'jpeg' && isPlain && orientation === 1 && fits) {
    // Detects damaged files here, since the compiler would reject the whole document.
    await open().stats()
    return { ...size, path: `${name}.jpg`, bytes }
  }
  const drawn = (format === 'svg' ? open(192) : open()).autoOrient()
  const small = fits
    ? drawn
    : drawn.resize({ width: 6000, height: 6000, fit: 'inside', withoutEnlargement: true })
  const png = await small.toColourspace('srgb').png({ compressionLevel: 4 }).toBuffer()
  return { ...size, path: `${name}.png`, bytes: png }
}
