/** Puts documents into others: their notes, places and pictures get names of their own. */
import { type Block, type Document, documentWith, type Inline, mapInline, mapRuns } from '../model.ts'

/** The blocks, notes and pictures of a document under names that begin with `prefix`. */
export function renamed(document: Document, prefix: string) {
  const files = new Map<string, Uint8Array>()
  const named = (name: string) => `${prefix}/${name}`
  const inlines = (content: readonly Inline[]) =>
    mapInline(content, part => {
      if (part.kind === 'note') return { ...part, key: named(part.key) }
      if (part.kind === 'anchor') return { ...part, name: named(part.name) }
      if (part.kind === 'reference') return { ...part, anchor: named(part.anchor) }
      if (part.kind !== 'picture' || !('file' in part.picture.source)) return part
      const file = named(part.picture.source.file)
      const content = document.file(part.picture.source.file)
      if (content) files.set(file, content)
      return { ...part, picture: { ...part.picture, source: { file } } }
    })
  const rename = (blocks: readonly Block[]) => mapRuns(blocks, inlines)
  const notes = new Map(Array.from(document.notes, ([key, blocks]) => [named(key), rename(blocks)]))
  return { blocks: rename(document.blocks), notes, files }
}

/** Documents one after another. */
export function joinedDocuments(documents: readonly Document[]): Document {
  const parts = documents.map((document, nth) => renamed(document, String(nth)))
  const files = new Map(parts.flatMap(part => [...part.files]))
  return documentWith({
    title: documents[0]?.title ?? '',
    blocks: parts.flatMap(({ blocks }, nth) => (nth > 0 ? [{ kind: 'rule' as const }, ...blocks] : blocks)),
    notes: new Map(parts.flatMap(part => [...part.notes])),
    file: name => files.get(name),
  })
}
