import { createHash } from 'node:crypto'
import { JobFailure } from '../../../errors.ts'
import type { Book, Resource } from '../../book/model.ts'
import { toBase32 } from '../format/base32.ts'
import { drawingWithPictures } from './drawings.ts'
import { fontRecord, plainFont } from './fonts.ts'
import { drawnPicture, type KindlePicture, kindlePicture, oldPicture, pictureType } from './pictures.ts'

/** What of a book stands in records of its own, as the file holds it. */
interface Prepared {
  /** Absent where it is not named in addresses, as with fonts. */
  mime: string | undefined
  record: Uint8Array
}

export interface ResourceSettings {
  /** Pictures for readers that know JPEG and GIF only. */
  isOldOnly: boolean
  /** Whether drawings are needed as pictures. */
  drawsSvg: boolean
  /** Called for each resource that could not be taken over. */
  onLoss(href: string): void
  progress(fraction: number): void
}

const isFont = ({ mediaType, href }: Resource) =>
  /font|opentype|truetype/i.test(mediaType) || /\.(?:ttf|otf|woff2?)$/i.test(href)

const isPicture = ({ mediaType, bytes }: Resource) =>
  pictureType(bytes) !== undefined || /^image\/(?!svg)/i.test(mediaType)

export const isDrawing = ({ mediaType }: Resource): boolean => /^image\/svg/i.test(mediaType)

/** Pictures, fonts and recordings of a book in the order in which its text asks for them first. */
export class Resources {
  readonly #prepared = new Map<string, Prepared>()
  readonly #numbers = new Map<string, number>()
  readonly #records: Uint8Array[] = []
  #hasFonts = false

  /** Converts what is not as Kindle wants it. */
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

  /** Whether a font was asked for. */
  get hasFonts(): boolean {
    return this.#hasFonts
  }

  /** All records, once the text was written. */
  get records(): readonly Uint8Array[] {
    return this.#records
  }

  /** What was made of a picture. */
  picture(href: string): KindlePicture | undefined {
    const prepared = this.#prepared.get(href)
    if (!prepared?.mime?.startsWith('image/')) return undefined
    return { mime: prepared.mime as KindlePicture['mime'], bytes: prepared.record }
  }

  /** Adds a record that no text asks for. */
  add(record: Uint8Array): number {
    return this.#records.push(record)
  }

  /** Number from 1 of a resource's record, if it has one. */
  number(href: string): number | undefined {
    const known = this.#numbers.get(href)
    if (known !== undefined) return known
    const prepared = this.#prepared.get(href)
    if (!prepared) return undefined
    const number = this.add(prepared.record)
    this.#numbers.set(href, number)
    if (prepared.mime === undefined) this.#hasFonts = true
    return number
  }

  /** Number of the picture that is made of a drawing which stands in a document, if it can be drawn. */
  async drawn(svg: Uint8Array): Promise<number | undefined> {
    const key = `\0svg ${createHash('sha256').update(svg).digest('hex')}`
    if (!this.#prepared.has(key)) {
      try {
        const { mime, bytes } = await drawnPicture(svg)
        this.#prepared.set(key, { mime, record: bytes })
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
  if (isDrawing(resource)) {
    if (!drawsSvg) return undefined
    const { mime, bytes } = await drawnPicture(drawingWithPictures(resource, book))
    return { mime, record: bytes }
  }
  if (isPicture(resource)) {
    const picture = await kindlePicture(bytes)
    const { mime, bytes: record } = isOldOnly ? await oldPicture(picture) : picture
    return { mime, record }
  }
  if (isOldOnly) return undefined
  if (isFont(resource)) return { mime: undefined, record: fontRecord(plainFont(bytes)) }
  if (mediaType === 'audio/mpeg') return { mime: mediaType, record: recording('AUDI', bytes) }
  if (mediaType === 'video/mp4') return { mime: mediaType, record: recording('VIDE', bytes) }
  return undefined
}

const RECORDING_HEADER_BYTES = 12

function recording(magic: string, bytes: Uint8Array): Uint8Array {
  const header = Buffer.alloc(RECORDING_HEADER_BYTES)
  header.write(magic, 'latin1')
  header.writeUInt32BE(RECORDING_HEADER_BYTES, 4)
  return Buffer.concat([header, bytes])
}
