/** Documents of other formats that are embedded in a document (`w:altChunk`): ECMA-376 part 1, 17.17.2.1. */

import { JobFailure } from '../../../../../shared/errors.ts'
import { readXhtml } from '../../../books/book/markup/document.ts'
import { readDataAddress } from '../../../common/addresses.ts'
import { decodeText } from '../../../common/text.ts'
import { isCompound } from '../../formats/compound.ts'
import {
  type Block,
  type Document,
  type Inline,
  mapRuns,
  type PictureUse,
  paragraphOf,
  run,
} from '../../model.ts'
import { htmlBlocks } from '../html/page.ts'
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
  /** Number of drawings and similar objects that were lost in those that were read. */
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
    const named = (name: string) => `chunk${number}/${name}`
    const rename = renamer(named, use => {
      if (!('file' in use.source)) return use
      const file = named(use.source.file)
      const content = read.file(use.source.file)
      if (content) this.#files.set(file, content)
      return { ...use, source: { file } }
    })
    for (const [key, blocks] of read.notes) this.notes.set(named(key), rename(blocks))
    return rename(read.blocks)
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

/** Renames the notes, anchors and pictures of a document. */
function renamer(named: (name: string) => string, picture: (use: PictureUse) => PictureUse) {
  const inlines = (content: readonly Inline[]): Inline[] =>
    content.map(part => {
      if (part.kind === 'note') return { ...part, key: named(part.key) }
      if (part.kind === 'anchor') return { ...part, name: named(part.name) }
      if (part.kind === 'reference')
        return { ...part, anchor: named(part.anchor), content: inlines(part.content) }
      if (part.kind === 'link') return { ...part, content: inlines(part.content) }
      return part.kind === 'picture' ? { ...part, picture: picture(part.picture) } : part
    })
  return (blocks: readonly Block[]) => mapRuns(blocks, inlines)
}
