/** Files within a document: attached to it or to a place on a page (ISO 32000-1, 7.11.4 and 12.5.6.15). */
import { type PDFDict, type PDFDocument, PDFHexString, type PDFObject } from '@cantoo/pdf-lib'
import {
  allDicts,
  dataOf,
  dictEntry,
  dictOf,
  entry,
  follow,
  keepAnnotations,
  name,
  nameEntry,
  remove,
  textOf,
} from '../pdfa/objects.ts'
import { namesIn } from './trees.ts'

export interface Attachment {
  name: string
  data: Uint8Array
}

/** The files that are attached to a document by name. */
export const attachedFiles = (document: PDFDocument): [string, PDFObject][] =>
  namesIn(dictEntry(document.catalog, 'Names', 'EmbeddedFiles'))

/** Has these be the files that are attached by name. */
export function setAttachedFiles(
  document: PDFDocument,
  files: readonly (readonly [string, PDFObject])[],
): void {
  const { catalog, context } = document
  const known = new Map<string, PDFObject>()
  for (const [key, value] of files) {
    let unique = key
    for (let copy = 2; known.has(unique); copy++) unique = `${key} (${copy})`
    known.set(unique, value)
  }
  const sorted = [...known].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const Names = sorted.flatMap(([key, value]) => [PDFHexString.fromText(key), value])
  if (!dictEntry(catalog, 'Names')) catalog.set(name('Names'), context.obj({}))
  dictEntry(catalog, 'Names')!.set(name('EmbeddedFiles'), context.obj({ Names }))
}

/** Attaches files to a document, besides those that it has. */
export function attachFiles(document: PDFDocument, files: readonly Attachment[]): void {
  const { context } = document
  const added = files.map(({ name: title, data }) => {
    const stream = context.flateStream(data, { Type: 'EmbeddedFile', Params: { Size: data.length } })
    const text = PDFHexString.fromText(title)
    const file = { Type: 'Filespec', F: text, UF: text, EF: { F: context.register(stream) } }
    return [title, context.register(context.obj(file))] as const
  })
  setAttachedFiles(document, [...attachedFiles(document), ...added])
}

/** Every file within a document, each once; `damaged` is how many cannot be read. */
export function attachmentsOf(document: PDFDocument): { files: Attachment[]; damaged: number } {
  const specs = new Map<PDFDict, string>()
  for (const [key, value] of attachedFiles(document)) {
    const dict = dictOf(follow(document.context, value))
    if (dict) specs.set(dict, key)
  }
  for (const { dict } of allDicts(document))
    if (dictEntry(dict, 'EF') && !specs.has(dict)) specs.set(dict, '')
  const seen = new Set<PDFObject | undefined>()
  const files: Attachment[] = []
  let damaged = 0
  for (const [dict, key] of specs) {
    const stream = entry(dict, 'EF', 'UF') ?? entry(dict, 'EF', 'F')
    if (seen.has(stream)) continue
    seen.add(stream)
    const data = dataOf(stream)
    if (data) files.push({ name: textOf(entry(dict, 'UF')) || textOf(entry(dict, 'F')) || key, data })
    else damaged++
  }
  return { files, damaged }
}

/** Removes the files that are attached to a document or to its pages. */
export function removeAttachments(document: PDFDocument): void {
  remove(dictEntry(document.catalog, 'Names'), 'EmbeddedFiles')
  remove(document.catalog, 'Collection')
  for (const { dict } of allDicts(document)) remove(dict, 'AF', 'EF', 'RF')
  for (const { node } of document.getPages())
    keepAnnotations(node, annotation => nameEntry(annotation, 'Subtype') !== 'FileAttachment')
}
