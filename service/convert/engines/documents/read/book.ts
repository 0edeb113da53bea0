/** A book as one document of structured text, in reading order and without its layout. */
import { isRemote, readingOrder, resolveHref } from '../../books/book/links.ts'
import { isDocument } from '../../books/book/media-types.ts'
import type { Book } from '../../books/book/model.ts'
import { type Block, blocksOf, documentWith, type Inline, inlineOf, type WordDocument } from '../model.ts'
import { htmlBlocks } from './html/blocks.ts'

export function documentOf(book: Book): WordDocument {
  const { metadata, resources } = book
  const blocks = readingOrder(book).flatMap(href => blocksOfFile(book, href))
  const document = documentWith({
    title: metadata.title,
    authors: metadata.authors.map(({ name }) => name),
    language: metadata.languages[0] ?? '',
    rightToLeft: book.direction === 'rtl',
    description: metadata.description ?? '',
    blocks,
    file: name => resources.get(name)?.bytes,
  })
  leadSomewhere(document)
  return document
}

/** The content of a file, which begins with an anchor of its path. */
function blocksOfFile({ resources }: Book, href: string): Block[] {
  const resource = resources.get(href)
  if (!resource) return []
  const picture = (address: string) => {
    if (isRemote(address)) return undefined
    const file = resolveHref(href, address)?.href ?? ''
    return resources.has(file) ? { file } : undefined
  }
  const start: Inline = { kind: 'anchor', name: href }
  if (!isDocument(resource.mediaType)) {
    const source = picture(`/${href}`)
    return source
      ? [paragraph([start, { kind: 'picture', picture: { source, description: '', width: 0, height: 0 } }])]
      : []
  }
  const blocks = htmlBlocks(resource.bytes, picture, {
    styles: { resources, href },
    anchor: id => `${href}#${id}`,
    link: address => {
      const target = isRemote(address) ? undefined : resolveHref(href, address)
      return target && { anchor: target.fragment ? `${target.href}#${target.fragment}` : target.href }
    },
  })
  const [first] = blocks
  if (first?.kind === 'heading' || first?.kind === 'paragraph') first.content.unshift(start)
  else if (first) blocks.unshift(paragraph([start]))
  return blocks
}

const paragraph = (content: Inline[]): Block => ({
  kind: 'paragraph',
  role: 'text',
  rightToLeft: false,
  content,
})

/** Has links to places that are no longer there lead to the beginning of their file. */
function leadSomewhere(document: WordDocument): void {
  const all = [...blocksOf(document)].flatMap(block => [...inlineOf(block)])
  const anchors = new Set(all.flatMap(part => (part.kind === 'anchor' ? part.name : [])))
  for (const part of all)
    if (part.kind === 'reference' && !anchors.has(part.anchor)) part.anchor = part.anchor.replace(/#.*/, '')
}
