import { readDataAddress } from '../../../engines/common/addresses.ts'
import { attribute, type Token } from '../../../engines/documents/read/markdown/parse.ts'
import type { Picture } from '../../../engines/documents/typst/index.ts'
import { sharp } from '../../../engines/pictures/sharp/load.ts'
import { htmlParts } from './html.ts'

/** A picture of the document: its file, and its size in points at 96 pixels per inch. */
export interface KnownPicture extends Picture {
  width: number
  height: number
}

/** Further pictures are left out. */
const MAX_PICTURES = 2000
/** Pixels of one picture; larger ones are reduced. */
const MAX_PIXELS = 40_000_000

/**
 * The pictures that a document contains as `data:` addresses, by address; undefined for one that cannot be read. Other
 * addresses are ignored: nothing is fetched, and no file of this machine is opened.
 */
export async function picturesOf(tokens: readonly Token[]): Promise<Map<string, KnownPicture | undefined>> {
  const pictures = new Map<string, KnownPicture | undefined>()
  for (const address of addressesIn(tokens)) {
    if (!address.startsWith('data:') || pictures.has(address) || pictures.size >= MAX_PICTURES) continue
    pictures.set(address, await readPicture(address, `/${pictures.size + 1}`))
  }
  return pictures
}

function* addressesIn(tokens: readonly Token[]): Generator<string> {
  for (const token of tokens) {
    if (token.type === 'image') yield attribute(token, 'src')
    if (token.type.startsWith('html_') && token.content.includes('data:')) {
      for (const part of htmlParts(token.content)) {
        if (part.kind === 'open' && part.name === 'img') yield part.attributes.src ?? ''
      }
    }
    if (token.children) yield* addressesIn(token.children)
  }
}

async function readPicture(address: string, name: string): Promise<KnownPicture | undefined> {
  const file = readDataAddress(address)
  try {
    return file && (await asPicture(file.bytes, name))
  } catch {
    return undefined
  }
}

/** Ordinary PNG and JPEG files are used unchanged; everything else is converted to PNG. */
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
