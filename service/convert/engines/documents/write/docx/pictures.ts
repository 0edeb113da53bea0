/** Pictures of a book in formats that Word supports. */

import { createHash } from 'node:crypto'
import { isSvg } from '../../../books/book/media-types.ts'
import type { Book, Resource } from '../../../books/book/model.ts'
import { vectorGraphicFile } from '../../../books/book/vector-graphics.ts'
import { scaledSize } from '../../../common/rectangle.ts'
import type { XmlElement } from '../../../common/xml/element.ts'
import { sharp } from '../../../pictures/sharp/load.ts'
import { fontFiles, readVectorGraphic, renderVectorGraphic } from '../../../pictures/svg/index.ts'
import { asWebPicture } from '../../../pictures/web-picture.ts'

/** A picture for the document. */
export interface DocxPicture {
  /** File name. */
  name: string
  bytes: Uint8Array
  /** CSS pixels. */
  width: number
  height: number
  /** File name of the SVG it was made from. */
  svg?: string | undefined
}

const suffixes: Record<string, string> = { jpeg: 'jpg', png: 'png', gif: 'gif' }
/** Vector graphics have no pixels of their own: this many for each CSS pixel, and a maximum along an edge. */
const SVG_SCALE = 2
const SVG_EDGE = 3000
/** Maximum size of all pictures together. */
const LIMIT_BYTES = 400 * 2 ** 20

export class Pictures {
  readonly #book: Book
  readonly #folder: string | undefined
  readonly #shown = new Map<string, Promise<DocxPicture | undefined>>()
  readonly media = new Map<string, Uint8Array>()
  #bytes = 0
  /** Number of pictures that cannot be read, or would be too large. */
  lost = 0

  /** @param folder for the fonts of SVG, which are left out without it */
  constructor(book: Book, folder: string | undefined) {
    this.#book = book
    this.#folder = folder
  }

  /** The picture of a resource; undefined if it is not available. */
  resource(href: string): Promise<DocxPicture | undefined> {
    const known = this.#shown.get(href)
    if (known) return known
    const resource = this.#book.resources.get(href)
    const shown = this.#add(async () => resource && (await this.#read(resource)))
    this.#shown.set(href, shown)
    return shown
  }

  /** An SVG element in the text of a document. */
  vectorGraphic(element: XmlElement, href: string): Promise<DocxPicture | undefined> {
    const file = vectorGraphicFile(element, href, this.#book.resources)
    const key = `svg ${createHash('sha1').update(file).digest('base64')}`
    const known = this.#shown.get(key)
    if (known) return known
    const shown = this.#add(() => this.#drawn(file))
    this.#shown.set(key, shown)
    return shown
  }

  async #add(
    read: () => Promise<(Omit<DocxPicture, 'name'> & { suffix: string; source?: Uint8Array }) | undefined>,
  ) {
    try {
      const found = await read()
      if (found && this.#bytes + found.bytes.length <= LIMIT_BYTES) {
        this.#bytes += found.bytes.length
        const { suffix, source, ...picture } = found
        const number = this.media.size + 1
        const shown: DocxPicture = { ...picture, name: `picture${number}.${suffix}` }
        this.media.set(shown.name, shown.bytes)
        if (source) {
          shown.svg = `picture${number}.svg`
          this.media.set(shown.svg, source)
        }
        return shown
      }
    } catch {
      // Damaged; told with the others that are lost.
    }
    this.lost += 1
    return undefined
  }

  async #read({ mediaType, bytes }: Resource) {
    if (isSvg(mediaType)) return this.#drawn(Buffer.from(bytes))
    const shown = await asWebPicture(bytes)
    if (!shown) return undefined
    const { format, autoOrient, orientation = 1 } = await sharp(shown.bytes).metadata()
    const suffix = suffixes[format]
    if (suffix && orientation === 1) return { bytes: shown.bytes, suffix, ...autoOrient }
    const upright = await sharp(shown.bytes).autoOrient().toColourspace('srgb').png().toBuffer()
    return { bytes: upright, suffix: 'png', ...autoOrient }
  }

  async #drawn(file: Buffer) {
    const vectorGraphic = await readVectorGraphic(file)
    const scale = Math.min(SVG_SCALE, SVG_EDGE / Math.max(vectorGraphic.width, vectorGraphic.height))
    const { width, height } = scaledSize(vectorGraphic, scale)
    const fonts = this.#folder === undefined ? [] : await fontFiles(vectorGraphic, this.#folder)
    const pixels = renderVectorGraphic(vectorGraphic, width, height, fonts)
    const png = await sharp(pixels, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer()
    return {
      bytes: png,
      suffix: 'png',
      width: vectorGraphic.width,
      height: vectorGraphic.height,
      source: file,
    }
  }
}
