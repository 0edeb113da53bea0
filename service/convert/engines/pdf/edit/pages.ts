/** Selects, orders and rotates the pages of a document, and removes all of the others (ISO 32000-1, 7.7.3 and 12.3). */
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  PDFPageTree,
  PDFRef,
  PDFString,
} from '@cantoo/pdf-lib'
import { arrayEntry, dictEntry, dictOf, entry, follow, name, remove } from '../pdfa/objects.ts'
import { prune } from './trees.ts'

const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate']

/** Maximum nesting of outlines, fields and tags; nothing shows deeper ones. */
const DEPTH_LIMIT = 100

/**
 * Makes these the only pages of the document, in this order. Bookmarks, links, form fields and tags of the other pages are removed with
 * them, so that nothing of them stays in the file.
 * @param chosen numbers of pages, from 0, each of them once
 * @returns the pages in their new order
 */
export function arrangePages(document: PDFDocument, chosen: readonly number[]): PDFPage[] {
  const { context, catalog } = document
  const pages = document.getPages()
  if (chosen.length === pages.length && chosen.every((page, index) => page === index)) return pages
  for (const { node } of pages)
    for (const key of INHERITED) {
      const value = node.getInheritableAttribute(name(key))
      if (value && !node.has(name(key))) node.set(name(key), value)
    }
  const kept = chosen.map(index => pages[index]!)
  const numbers = new Set(chosen)
  const left = pages.filter((_, index) => !numbers.has(index))
  const tree = PDFPageTree.withContext(context)
  const root = context.register(tree)
  for (const { ref, node } of kept) {
    tree.pushLeafNode(ref)
    node.set(name('Parent'), root)
  }
  catalog.set(name('Pages'), root)
  // Labels go by position.
  remove(catalog, 'PageLabels')
  if (left.length > 0) new Removal(document, left).run(kept.map(({ node }) => node))
  return kept
}

/** Removes what belongs to pages that are left out. */
class Removal {
  readonly #document: PDFDocument
  /** The pages, and all objects that belong to them alone. */
  readonly #gone = new Set<PDFObject>()
  readonly #structs = new Set<number>()
  readonly #named = new Map<string, PDFObject | undefined>()

  constructor(document: PDFDocument, left: readonly PDFPage[]) {
    this.#document = document
    for (const { ref, node } of left) {
      this.#gone.add(ref)
      for (const annotation of arrayEntry(node, 'Annots')?.asArray() ?? []) {
        this.#gone.add(annotation)
        const parents = dictOf(follow(node.context, annotation))?.get(name('StructParent'))
        if (parents instanceof PDFNumber) this.#structs.add(parents.asNumber())
      }
      const parents = node.get(name('StructParents'))
      if (parents instanceof PDFNumber) this.#structs.add(parents.asNumber())
    }
  }

  run(kept: readonly PDFDict[]): void {
    const { catalog, context } = this.#document
    const names = dictEntry(catalog, 'Names')
    this.#names(names && dictEntry(names, 'Dests'))
    this.#oldNames(dictEntry(catalog, 'Dests'))
    for (const page of kept) {
      remove(page, 'B')
      const annotations = arrayEntry(page, 'Annots')
      if (annotations)
        page.set(
          name('Annots'),
          this.#filtered(annotations, each => !this.#leadsAway(dictOf(each))),
        )
    }
    const outlines = dictEntry(catalog, 'Outlines')
    if (outlines && !this.#outline(outlines, 0)) remove(catalog, 'Outlines')
    if (this.#isGone(entry(catalog, 'OpenAction'))) remove(catalog, 'OpenAction')
    const form = dictEntry(catalog, 'AcroForm')
    const fields = form && arrayEntry(form, 'Fields')
    if (form && fields) {
      form.set(
        name('Fields'),
        this.#filtered(fields, each => this.#field(dictOf(each), 0)),
      )
      const order = arrayEntry(form, 'CO')
      if (order)
        form.set(
          name('CO'),
          this.#filtered(order, () => true),
        )
    }
    const tags = dictEntry(catalog, 'StructTreeRoot')
    if (tags) {
      this.#tags(tags, undefined, 0)
      this.#parents(dictEntry(tags, 'ParentTree'))
    }
    remove(catalog, 'Threads')
    for (const object of this.#gone) if (object instanceof PDFRef) context.delete(object)
  }

  /** The items that are kept; the others are removed from the document. */
  #filtered(array: PDFArray, keeps: (item: PDFObject | undefined) => boolean): PDFArray {
    const kept = PDFArray.withContext(this.#document.context)
    for (const item of array.asArray()) {
      if (this.#gone.has(item)) continue
      if (keeps(follow(this.#document.context, item))) kept.push(item)
      else this.#gone.add(item)
    }
    return kept
  }

  #isGone(destination: PDFObject | undefined): boolean {
    if (
      destination instanceof PDFName ||
      destination instanceof PDFString ||
      destination instanceof PDFHexString
    )
      return this.#isGone(this.#named.get(destination.decodeText()))
    const array = destination instanceof PDFDict ? entry(destination, 'D') : destination
    const page = array instanceof PDFArray ? array.get(0) : undefined
    return page !== undefined && this.#gone.has(page)
  }

  /** Whether a bookmark, link or action leads to a page that is left out. */
  #leadsAway(dict: PDFDict | undefined): boolean {
    if (!dict) return false
    const action = dictEntry(dict, 'A')
    return this.#isGone(entry(dict, 'Dest')) || (action !== undefined && this.#isGone(entry(action, 'D')))
  }

  /** Removes named destinations, and remembers where each of them led. */
  #names(tree: PDFDict | undefined): void {
    prune(tree, 'Names', (key, value) => {
      if (key instanceof PDFString || key instanceof PDFHexString) this.#named.set(key.decodeText(), value)
      return !this.#isGone(value)
    })
  }

  #oldNames(dests: PDFDict | undefined): void {
    for (const [key, value] of dests?.entries() ?? []) {
      const destination = follow(this.#document.context, value)
      this.#named.set(key.decodeText(), destination)
      if (this.#isGone(destination)) dests?.delete(key)
    }
  }

  /** Whether anything is left below a bookmark, or the outline. A heading over bookmarks that are kept stays as text. */
  #outline(parent: PDFDict, depth: number): boolean {
    const kept: { ref: PDFObject; item: PDFDict }[] = []
    const seen = new Set<PDFObject>()
    let ref = parent.get(name('First'))
    while (ref && !seen.has(ref) && depth < DEPTH_LIMIT) {
      seen.add(ref)
      const item = dictOf(follow(parent.context, ref))
      if (!item) break
      const below = this.#outline(item, depth + 1)
      const away = this.#leadsAway(item)
      if (away && below) remove(item, 'Dest', 'A')
      if (away && !below) this.#gone.add(ref)
      else kept.push({ ref, item })
      ref = item.get(name('Next'))
    }
    remove(parent, 'First', 'Last', 'Count')
    for (const [index, { item }] of kept.entries()) {
      remove(item, 'Prev', 'Next')
      if (kept[index - 1]) item.set(name('Prev'), kept[index - 1]!.ref)
      if (kept[index + 1]) item.set(name('Next'), kept[index + 1]!.ref)
    }
    if (kept.length === 0) return false
    parent.set(name('First'), kept[0]!.ref)
    parent.set(name('Last'), kept.at(-1)!.ref)
    parent.set(name('Count'), PDFNumber.of(kept.length))
    return true
  }

  /** Whether a field has a place on a page that is kept, or never had one. */
  #field(field: PDFDict | undefined, depth: number): boolean {
    const kids = field && arrayEntry(field, 'Kids')
    if (!field || !kids || kids.size() === 0 || depth > DEPTH_LIMIT) return field !== undefined
    const kept = this.#filtered(kids, each => this.#field(dictOf(each), depth + 1))
    field.set(name('Kids'), kept)
    return kept.size() > 0
  }

  /** Whether a tag, or what it contains, belongs to a page that is kept. */
  #tags(element: PDFDict, outer: PDFObject | undefined, depth: number): boolean {
    const page = element.get(name('Pg')) ?? outer
    const value = element.get(name('K'))
    const content = follow(element.context, value)
    if (value === undefined || depth > DEPTH_LIMIT) return !(page && this.#gone.has(page))
    const keeps = (item: PDFObject | undefined): boolean => {
      if (item instanceof PDFNumber) return !(page && this.#gone.has(page))
      const dict = dictOf(item)
      const object = dict?.get(name('Obj'))
      return dict !== undefined && !(object && this.#gone.has(object)) && this.#tags(dict, page, depth + 1)
    }
    const list = content instanceof PDFArray ? content : PDFArray.withContext(element.context)
    if (list !== content) list.push(value)
    const kept = this.#filtered(list, keeps)
    element.set(name('K'), kept)
    if (page && this.#gone.has(page)) remove(element, 'Pg')
    return kept.size() > 0
  }

  /** Removes the rows of pages from the table that leads from content to tags. */
  #parents(tree: PDFDict | undefined): void {
    prune(tree, 'Nums', key => !(key instanceof PDFNumber && this.#structs.has(key.asNumber())))
  }
}
