/** Converts the pictures of a document to formats that Markdown and EPUB can show. */
import { DamagedFile } from '../common/damage.ts'
import { PIXEL_LIMIT } from '../common/limits.ts'
import { decodePicture } from './decode.ts'
import { openPicture } from './sharp/picture.ts'

export interface WebPicture {
  mime: string
  bytes: Uint8Array
}

/** JPEG, PNG and GIF unchanged; other readable formats as PNG; undefined for the rest. */
export async function asWebPicture(bytes: Uint8Array): Promise<WebPicture | undefined> {
  try {
    const source = await decodePicture(bytes)
    const picture = await openPicture(source)
    const { format } = picture.metadata
    const isShown = format === 'jpeg' || format === 'png' || format === 'gif'
    if (isShown && 'encoded' in source && typeof source.encoded !== 'string')
      return { mime: `image/${format}`, bytes: source.encoded }
    if (picture.width * picture.height > PIXEL_LIMIT / 4) throw new DamagedFile('too large')
    return { mime: 'image/png', bytes: await picture.open(true).toColourspace('srgb').png().toBuffer() }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return undefined
  }
}
