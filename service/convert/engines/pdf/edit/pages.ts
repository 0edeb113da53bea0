/** The pages of a document, and what belongs to each of them. */
import type { PDFDict, PDFDocument, PDFObject, PDFPageLeaf } from '@cantoo/pdf-lib'
import { annotationsOf, dictEntry, dictOf, entry, follow, lineage, listed, name } from '../pdfa/objects.ts'
import { resolvePlaces } from './destinations.ts'
import { labelsOf } from './labels.ts'
import { pairsIn } from './trees.ts'

/** Maximum nesting of tags; nothing shows deeper ones. */
const DEPTH_LIMIT = 100

/** The pages of a document. It is walked once, whatever is taken from it. */
export class PageSource {
  readonly document: PDFDocument
  readonly pages: readonly PDFPageLeaf[]
  /** What belongs to pages: themselves, annotations, fields, bookmarks and tags. */
  readonly belonging = new Set<PDFDict>()
  /** Tags with content on a page, and those around them. */
  readonly tags = new Map<PDFDict, Set<PDFDict>>()
  /** The page of the numbers in a tag, which may be that of a tag around it. */
  readonly pageOfTag = new Map<PDFDict, PDFDict | undefined>()
  /** What each tag contains: numbers of content, references to objects, and tags. */
  readonly parts = new Map<PDFDict, { item: PDFObject; dict: PDFDict | undefined; isTag: boolean }[]>()
  /** What leads from numbers to tags, by the page that has the number (ISO 32000-1, 14.7.4.4). */
  readonly parents: Map<PDFDict | undefined, [PDFObject | undefined, PDFObject][]>
  readonly labels: ReturnType<typeof labelsOf>
  readonly isTagged: boolean

  constructor(document: PDFDocument) {
    this.document = document
    this.pages = document.getPages().map(({ node }) => node)
    resolvePlaces(document)
    this.labels = labelsOf(document)
    const pageOf = new Map<PDFDict, PDFDict>()
    for (const page of this.pages) {
      this.belonging.add(page)
      for (const annotation of annotationsOf(page)) {
        for (const each of lineOf(annotation)) this.belonging.add(each)
        pageOf.set(annotation, page)
      }
    }
    const root = dictEntry(document.catalog, 'StructTreeRoot')
    this.isTagged = root !== undefined
    if (root) this.#tag(root, undefined, [], pageOf)
    const numbered = new Map(this.pages.map(page => [entry(page, 'StructParents')?.toString(), page]))
    const pairs = pairsIn(dictEntry(root, 'ParentTree'), 'Nums')
    this.parents = Map.groupBy(pairs, ([key]) => numbered.get(key?.toString()))
  }

  /** @returns whether a tag has content on any page */
  #tag(tag: PDFDict, outer: PDFDict | undefined, around: PDFDict[], pageOf: Map<PDFDict, PDFDict>): boolean {
    if (this.pageOfTag.has(tag) || around.length > DEPTH_LIMIT) return this.belonging.has(tag)
    const page = dictEntry(tag, 'Pg') ?? outer
    this.pageOfTag.set(tag, page)
    const line = [...around, tag]
    let has = false
    const parts = listed(tag, 'K').map(item => {
      const dict = dictOf(follow(tag.context, item))
      return { item, dict, isTag: dict?.has(name('S')) ?? false }
    })
    this.parts.set(tag, parts)
    for (const { dict, isTag } of parts) {
      if (dict && isTag) {
        if (this.#tag(dict, page, line, pageOf)) has = true
        continue
      }
      const object = dictEntry(dict, 'Obj')
      const on = dictEntry(dict, 'Pg') ?? (object && pageOf.get(object)) ?? page
      if (!on || !this.belonging.has(on)) continue
      has = true
      const own = this.tags.get(on) ?? new Set()
      this.tags.set(on, own)
      for (const each of line) own.add(each)
    }
    if (has) this.belonging.add(tag)
    return has
  }
}

/** An annotation, and the fields that it belongs to. */
export function lineOf(annotation: PDFDict): PDFDict[] {
  const line: PDFDict[] = []
  for (const field of lineage(annotation)) {
    // The parent of a popup is another annotation.
    if (line.length > 0 && field.has(name('Subtype')) && !field.has(name('FT'))) break
    line.push(field)
  }
  return line
}
