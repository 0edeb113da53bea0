import { createHash } from 'node:crypto'
import { JobFailure } from '../../../../../shared/errors.ts'
import { decodeText } from '../../../common/text.ts'
import type { Book, Resource } from '../../book/model.ts'
import { vectorGraphicFile, vectorGraphicIn } from '../../book/vector-graphics.ts'
import { toBase32 } from '../format/base32.ts'
import { fontRecord, plainFont } from './fonts.ts'
import { drawnPicture, type KindlePicture, kindlePicture, oldPicture, pictureType } from './pictures.ts'

/** A resource of a book as stored in its own record. */
interface Prepared {
  /** Undefined if addresses do not contain it, as for fonts. */
  mime: string | undefined
  bytes: Uint8Array
}

export interface ResourceSettings {
  /** Whether pictures are only for readers that support just JPEG and GIF. */
  isOldOnly: boolean
  /** Whether SVG documents have to be rendered as pictures. */
  drawsSvg: boolean
  /** Called for each resource that could not be converted. */
  onLoss(href: string): void
  progress(fraction: number): void
}

const isFont = ({ mediaType, href }: Resource) =>
  /font|opentype|truetype/i.test(mediaType) || /\.(?:ttf|otf|woff2?)$/i.test(href)

const isPicture = ({ mediaType, bytes }: Resource) =>
  pictureType(bytes) !== undefined || /^image\/(?!svg)/i.test(mediaType)

export const isVectorGraphic = ({ mediaType }: Resource): boolean => /^image\/svg/i.test(mediaType)

/** Pictures, fonts and media files of a book in the order in which its text first uses them. */
export class Resources {
  readonly #prepared = new Map<string, Prepared>()
  readonly #numbers = new Map<string, number>()
  /** All records, complete once the text has been written. */
  readonly records: Uint8Array[] = []
  /** Whether the text uses a font. */
  hasFonts = false

  /** Converts resources to formats that Kindle supports. */
  static async prepare(book: Book, settings: ResourceSettings): Promise<Resources> {
    const resources = new Resources()
    let done = 0
    for (const resource of book.resources.values()) {
      settings.progress(done++ / book.resources.size)
      try {
        const prepared = await prepareResource(resource, book, settings)
        if (prepared) resources.#prepared.set(resource.href, prepared)
        else if (/^(?:audio|video)\//.test(resource.mediaType)) settings.onLoss(resource.href)
      } catch (error) {
        if (!(error instanceof JobFailure)) throw error
        settings.onLoss(resource.href)
      }
    }
    return resources
  }

  /** The converted picture. */
  picture(href: string): KindlePicture | undefined {
    const prepared = this.#prepared.get(href)
    return prepared?.mime?.startsWith('image/') ? (prepared as KindlePicture) : undefined
  }

  /** Adds a record that the text does not refer to. */
  add(record: Uint8Array): number {
    return this.records.push(record)
  }

  /** Number of a resource's record from 1, if it has one. */
  number(href: string): number | undefined {
    const known = this.#numbers.get(href)
    if (known !== undefined) return known
    const prepared = this.#prepared.get(href)
    if (!prepared) return undefined
    const number = this.add(prepared.bytes)
    this.#numbers.set(href, number)
    if (prepared.mime === undefined) this.hasFonts = true
    return number
  }

  /** Number of the picture created from SVG in a document, if it can be rendered. */
  async drawn(svg: Uint8Array): Promise<number | undefined> {
    const key = `\0svg ${createHash('sha256').update(svg).digest('hex')}`
    if (!this.#prepared.has(key)) {
      try {
        this.#prepared.set(key, await drawnPicture(svg))
      } catch (error) {
        if (!(error instanceof JobFailure)) throw error
      }
    }
    return this.number(key)
  }

  /** Address of a resource in text and styles of KF8. */
  address(href: string): string | undefined {
    const number = this.number(href)
    if (number === undefined) return undefined
    const mime = this.#prepared.get(href)?.mime
    return `kindle:embed:${toBase32(number, 4)}${mime === undefined ? '' : `?mime=${mime}`}`
  }
}

async function prepareResource(
  resource: Resource,
  book: Book,
  { isOldOnly, drawsSvg }: ResourceSettings,
): Promise<Prepared | undefined> {
  const { bytes, mediaType } = resource
  if (isVectorGraphic(resource)) {
    const root = vectorGraphicIn(bytes)
    if (!root) throw new JobFailure('jobs.corrupt_input')
    if (!drawsSvg) return undefined
    const showsPictures = /<(?:\w+:)?image\b/.test(decodeText(bytes))
    return drawnPicture(showsPictures ? vectorGraphicFile(root, resource.href, book.resources) : bytes)
  }
  if (isPicture(resource)) {
    const picture = await kindlePicture(bytes)
    return isOldOnly ? oldPicture(picture) : picture
  }
  if (isOldOnly) return undefined
  if (isFont(resource)) return { mime: undefined, bytes: fontRecord(await plainFont(bytes)) }
  if (mediaType === 'audio/mpeg') return { mime: mediaType, bytes: media('AUDI', bytes) }
  if (mediaType === 'video/mp4') return { mime: mediaType, bytes: media('VIDE', bytes) }
  return undefined
}

const RECORDING_HEADER_BYTES = 12

function media(magic: string, bytes: Uint8Array): Uint8Array {
  const header = Buffer.alloc(RECORDING_HEADER_BYTES)
  header.write(magic, 'latin1')
  header.writeUInt32BE(RECORDING_HEADER_BYTES, 4)
  return Buffer.concat([header, bytes])
}
