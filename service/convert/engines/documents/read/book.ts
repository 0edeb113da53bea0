/** A book as one document of structured text, in reading order and without its layout. */
import { StyleSheets } from '../../books/book/css/cascade.ts'
import { isRemote, readingOrder, resolveHref } from '../../books/book/links.ts'
import { readXhtml } from '../../books/book/markup/document.ts'
import { isDocument } from '../../books/book/media-types.ts'
import type { Book } from '../../books/book/model.ts'
import {
  type Block,
  blocksOf,
  type Document,
  documentWith,
  type Inline,
  inlineOf,
  paragraphOf,
} from '../model.ts'
import { PROPERTIES } from './html/elements.ts'
import { htmlBlocks } from './html/page.ts'

export function documentOf(book: Book): Document {
  const { metadata, resources } = book
  const reader = new BookReader(book)
  const blocks = readingOrder(book).flatMap(href => reader.file(href))
  const document = documentWith({
    title: metadata.title,
    authors: metadata.authors.map(({ name }) => name),
    language: metadata.languages[0] ?? '',
    rightToLeft: book.direction === 'rtl',
    description: metadata.description ?? '',
    blocks,
    notes: reader.notes,
    file: name => reader.vectorGraphics.get(name) ?? resources.get(name)?.bytes,
  })
  leadSomewhere(document)
  return document
}

class BookReader {
  readonly notes = new Map<string, Block[]>()
  readonly vectorGraphics = new Map<string, Uint8Array>()
  readonly #resources: Book['resources']
  readonly #sheets: StyleSheets

  constructor({ resources }: Book) {
    this.#resources = resources
    this.#sheets = new StyleSheets({ resources }, PROPERTIES)
  }

  /** The content of a file, which begins with an anchor of its path. */
  file(href: string): Block[] {
    const resource = this.#resources.get(href)
    if (!resource || !isDocument(resource.mediaType)) return []
    const picture = (address: string) => {
      if (isRemote(address)) return undefined
      const file = resolveHref(href, address)?.href ?? ''
      return this.#resources.has(file) ? { file } : undefined
    }
    const start: Inline = { kind: 'anchor', name: href }
    const around: Parameters<typeof htmlBlocks>[1] = {
      picture,
      vectorGraphic: svg => {
        const file = `${href}#svg${this.vectorGraphics.size + 1}.svg`
        this.vectorGraphics.set(file, Buffer.from(svg))
        return { file }
      },
      anchor: id => `${href}#${id}`,
      link: address => {
        const target = isRemote(address) ? undefined : resolveHref(href, address)
        return target && { anchor: target.fragment ? `${target.href}#${target.fragment}` : target.href }
      },
    }
    const { root } = readXhtml(resource.bytes)
    const { blocks, notes } = htmlBlocks(root, around, { sheets: this.#sheets, href })
    for (const [key, note] of notes) this.notes.set(key, note)
    const [first] = blocks
    if (first?.kind === 'heading' || first?.kind === 'paragraph') first.content.unshift(start)
    else if (first) blocks.unshift(paragraphOf([start]))
    return blocks
  }
}

/** Has links to places that are no longer there lead to the beginning of their file. */
function leadSomewhere(document: Document): void {
  const all = [...blocksOf(document)].flatMap(block => [...inlineOf(block)])
  const anchors = new Set(all.flatMap(part => (part.kind === 'anchor' ? part.name : [])))
  for (const part of all)
    if (part.kind === 'reference' && !anchors.has(part.anchor)) part.anchor = part.anchor.replace(/#.*/, '')
}
