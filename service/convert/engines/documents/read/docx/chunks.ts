/** Documents of other formats that are embedded in a document (`w:altChunk`): ECMA-376 part 1, 17.17.2.1. */

import { JobFailure } from '../../../../../shared/errors.ts'
import { readXhtml } from '../../../books/book/markup/document.ts'
import { readDataAddress } from '../../../common/addresses.ts'
import { decodeText } from '../../../common/text.ts'
import { isCompound } from '../../formats/compound.ts'
import { type Block, type Document, paragraphOf, run } from '../../model.ts'
import { htmlBlocks } from '../html/page.ts'
import { renamed } from '../joined.ts'
import { type MimePart, mimeParts } from './mime.ts'

/** Limits for nesting and for the number of embedded documents. */
const MAX_DEPTH = 3
const MAX_CHUNKS = 500

/** Collects the notes and files of embedded documents under unique names. */
export class Chunks {
  readonly #depth: number
  readonly #read: (bytes: Uint8Array, depth: number) => Document
  readonly #files = new Map<string, Uint8Array>()
  readonly notes = new Map<string, Block[]>()
  #count = 0
  /** Number of embedded documents that could not be read. */
  lost = 0
  /** Number of shapes and similar objects that were lost in those that were read. */
  lostObjects = 0

  /** @param read reads an embedded Word document at a depth */
  constructor(depth: number, read: (bytes: Uint8Array, depth: number) => Document) {
    this.#depth = depth
    this.#read = read
  }

  file(name: string): Uint8Array | undefined {
    return this.#files.get(name)
  }

  /** The content of an embedded document, which may be HTML, a web archive, plain text or a Word document. */
  blocks(bytes: Uint8Array | undefined, name: string): Block[] {
    const number = ++this.#count
    if (bytes && number <= MAX_CHUNKS && this.#depth < MAX_DEPTH) {
      const blocks = this.#blocks(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), name, number)
      if (blocks) return blocks
    }
    this.lost++
    return []
  }

  #blocks(bytes: Buffer, name: string, number: number): Block[] | undefined {
    const head = bytes.toString('latin1', 0, 1024).trimStart()
    if (head.startsWith('PK')) return this.#document(bytes, number)
    if (head.startsWith('{\\rtf') || isCompound(bytes)) return undefined
    if (/^(?:mime-version|from|content-type|date|subject):/i.test(head)) {
      const parts = mimeParts(bytes)
      const page = parts.find(({ type }) => /^(?:text\/html|application\/xhtml)/i.test(type))
      return page && this.#html(page.bytes, number, parts)
    }
    const isHtml = /\.x?html?$/i.test(name) || /<(?:!doctype|html|body|p|div|h[1-6]|table|span)\b/i.test(head)
    if (isHtml) return this.#html(bytes, number, [])
    return /\.txt$/i.test(name) ? plainBlocks(decodeText(bytes)) : undefined
  }

  #html(bytes: Buffer, number: number, parts: readonly MimePart[]): Block[] {
    const picture = (address: string) => {
      if (/^https?:/i.test(address) && !parts.some(({ names }) => names.includes(address))) return { address }
      const found =
        readDataAddress(address) ?? parts.find(({ names }) => names.some(name => sameAddress(name, address)))
      const file = `chunk${number}/${this.#files.size + 1}`
      // A missing picture is reported by the code that reads the file.
      if (found) this.#files.set(file, found.bytes)
      return { file }
    }
    return htmlBlocks(readXhtml(bytes).root, { picture }).blocks
  }

  #document(bytes: Buffer, number: number): Block[] | undefined {
    let read: Document
    try {
      read = this.#read(bytes, this.#depth + 1)
    } catch (error) {
      if (!(error instanceof JobFailure) || error.code === 'jobs.too_large') throw error
      return undefined
    }
    this.lostObjects += read.lostObjects
    this.lost += read.unsupportedChunks
    const { blocks, notes, files } = renamed(read, `chunk${number}`)
    for (const [key, note] of notes) this.notes.set(key, note)
    for (const [name, content] of files) this.#files.set(name, content)
    return blocks
  }
}

/** Web archives refer to pictures by absolute or relative addresses. */
const sameAddress = (name: string, address: string): boolean =>
  address !== '' && (name === address || name.endsWith(`/${address}`))

const plainBlocks = (text: string): Block[] =>
  text
    .split(/\r?\n|\r/)
    .filter(line => line.trim() !== '')
    .map(line => paragraphOf([run(line.trim())]))
