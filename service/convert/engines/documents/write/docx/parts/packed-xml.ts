/** The main part of a Word document, packed while it is written. */
import { once } from 'node:events'
import { crc32, createDeflateRaw } from 'node:zlib'
import type { PackedContent } from '../../../../books/epub/zip.ts'

export class PackedXml {
  readonly #deflate = createDeflateRaw()
  readonly #packed: Buffer[] = []
  #crc = 0
  #bytes = 0

  constructor() {
    this.#deflate.on('data', (chunk: Buffer) => this.#packed.push(chunk))
  }

  async write(xml: string): Promise<void> {
    if (xml === '') return
    const bytes = Buffer.from(xml)
    this.#crc = crc32(bytes, this.#crc)
    this.#bytes += bytes.length
    if (!this.#deflate.write(bytes)) await once(this.#deflate, 'drain')
  }

  /** Ends the file. */
  async finish(): Promise<PackedContent> {
    const ended = once(this.#deflate, 'end')
    this.#deflate.end()
    await ended
    return { packed: Buffer.concat(this.#packed), method: 8, crc: this.#crc, bytes: this.#bytes }
  }
}
