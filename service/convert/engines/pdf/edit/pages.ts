/** Takes pages of a document with what belongs to them, and nothing of the others (ISO 32000-1, 7.7.3, 12.3, 12.7 and 14.7). */
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFPageLeaf,
  PDFRawStream,
  PDFRef,
} from '@cantoo/pdf-lib'
import {
  arrayEntry,
  bookmarksBelow,
  dictEntry,
  dictOf,
  entry,
  follow,
  inherited,
  items,
  lineage,
  listed,
  name,
  nameEntry,
} from '../pdfa/objects.ts'
import { resolvePlaces } from './destinations.ts'
import { labelsOf, labelTree } from './labels.ts'
import { pairsIn } from './trees.ts'

const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate']
/** Entries of the catalogue and of tags that are made anew, or left out. */
const CATALOGUE = ['Type', 'Pages', 'Outlines', 'Names', 'StructTreeRoot', 'PageLabels', 'Threads']
const TREES = ['K', 'ParentTree', 'IDTree']
/** Entries that say where a bookmark is among the others. */
const OUTLINE = ['Parent', 'Prev', 'Next', 'First', 'Last', 'Count']

/** Maximum nesting of outlines, fields, tags and objects; nothing shows deeper ones. */
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
  readonly labels: ReturnType<typeof labelsOf>

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
    if (root) this.#tag(root, undefined, [], pageOf)
  }

  /** @returns whether a tag has content on any page */
  #tag(tag: PDFDict, outer: PDFDict | undefined, around: PDFDict[], pageOf: Map<PDFDict, PDFDict>): boolean {
    if (this.pageOfTag.has(tag) || around.length > DEPTH_LIMIT) return this.belonging.has(tag)
    const page = dictEntry(tag, 'Pg') ?? outer
    this.pageOfTag.set(tag, page)
    const line = [...around, tag]
    let has = false
    for (const item of contentOf(tag)) {
      const content = follow(tag.context, item)
      const dict = dictOf(content)
      if (dict && isTag(dict)) {
        if (this.#tag(dict, page, line, pageOf)) has = true
        continue
      }
      const object = dict && dictEntry(dict, 'Obj')
      const on = (dict && dictEntry(dict, 'Pg')) ?? (object && pageOf.get(object)) ?? page
      if (!on || !this.belonging.has(on)) continue
      has = true
      const own = this.tags.get(on) ?? new Set()
      this.tags.set(on, own)
      for (const each of line) own.add(each)
    }
    if (has) this.belonging.add(tag)
    return has
  }

  /**
   * A document of these pages, in this order. Bookmarks, links, form fields and tags of the other pages do not come with them.
   * @param chosen numbers of pages, from 0, each of them once
   */
  async take(chosen: readonly number[]): Promise<PDFDocument> {
    const taken = await PDFDocument.create({ updateMetadata: false })
    new Taking(this, taken, chosen).run()
    return taken
  }
}

class Taking {
  readonly #source: PageSource
  readonly #taken: PDFDocument
  readonly #chosen: readonly number[]
  readonly #kept = new Set<PDFDict>()
  readonly #refs = new Map<PDFRef, PDFRef>()
  readonly #waiting: { ref: PDFRef; object: PDFObject }[] = []

  constructor(source: PageSource, taken: PDFDocument, chosen: readonly number[]) {
    this.#source = source
    this.#taken = taken
    this.#chosen = chosen
    const pages = chosen.map(index => source.pages[index]!)
    for (const page of pages) {
      this.#kept.add(page)
      for (const tag of source.tags.get(page) ?? []) this.#kept.add(tag)
    }
    for (const page of pages)
      for (const annotation of annotationsOf(page))
        if (!this.#leadsAway(annotation)) for (const each of lineOf(annotation)) this.#kept.add(each)
  }

  run(): void {
    const { context, catalog } = this.#taken
    const source = this.#source.document
    context.header = source.context.header
    const root = catalog.get(name('Pages')) as PDFRef
    const places = source.getPages()
    for (const index of this.#chosen) {
      const { ref } = places[index]!
      if (!this.#refs.has(ref)) this.#refs.set(ref, context.nextRef())
      catalog.Pages().pushLeafNode(this.#refs.get(ref)!)
    }
    for (const index of this.#chosen)
      context.assign(this.#refs.get(places[index]!.ref)!, this.#page(index, root))
    for (const [key, value] of source.catalog.entries()) {
      const copy = CATALOGUE.includes(key.decodeText()) ? undefined : this.#copy(value)
      if (copy) catalog.set(key, copy)
    }
    this.#names()
    this.#structure()
    const outlines = dictEntry(source.catalog, 'Outlines')
    const ref = context.nextRef()
    const own = outlines && this.#outline(outlines, ref, 0)
    if (own) {
      context.assign(ref, own)
      catalog.set(name('Outlines'), ref)
    }
    const { labels } = this.#source
    if (labels)
      catalog.set(
        name('PageLabels'),
        labelTree(
          context,
          this.#chosen.map(index => labels[index]!),
        ),
      )
    const information = this.#copy(source.context.trailerInfo.Info)
    if (information) context.trailerInfo.Info = information
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop())
      context.assign(next.ref, this.#copy(next.object) ?? PDFNull)
  }

  #page(index: number, root: PDFRef): PDFPageLeaf {
    const source = this.#source.pages[index]!
    const { context } = this.#taken
    const page = PDFPageLeaf.fromMapWithContext(new Map(), context, false)
    const entries = INHERITED.map(key => [name(key), inherited(source, key)] as const)
    for (const [key, value] of [...entries, ...source.entries()]) {
      const copy = ['Parent', 'B'].includes(key.decodeText()) || !value ? undefined : this.#copy(value)
      if (copy) page.set(key, copy)
    }
    page.set(name('Parent'), root)
    return page
  }

  #isGone(object: PDFObject | undefined): boolean {
    const dict = dictOf(follow(this.#source.document.context, object))
    return dict !== undefined && this.#source.belonging.has(dict) && !this.#kept.has(dict)
  }

  /** An object for the new document; undefined for what belongs to a page that is left out, or leads to one. */
  #copy(object: PDFObject | undefined, depth = 0): PDFObject | undefined {
    const { context } = this.#taken
    if (depth > DEPTH_LIMIT) return PDFNull
    if (object instanceof PDFRef) {
      const known = this.#refs.get(object)
      if (known) return known
      const target = this.#source.document.context.lookup(object)
      if (!target || this.#isGone(target)) return undefined
      const ref = context.nextRef()
      this.#refs.set(object, ref)
      this.#waiting.push({ ref, object: target })
      return ref
    }
    if (object instanceof PDFArray) {
      const [first] = object.asArray()
      if (
        first instanceof PDFRef &&
        this.#isGone(first) &&
        object.size() > 1 &&
        object.get(1) instanceof PDFName
      )
        return undefined
      const array = PDFArray.withContext(context)
      for (const value of object.asArray()) {
        const copy = this.#copy(value, depth + 1)
        if (copy) array.push(copy)
      }
      return array
    }
    if (object instanceof PDFDict) {
      if (this.#isGone(object)) return undefined
      const dict = PDFDict.withContext(context)
      const pageOfTag = this.#source.pageOfTag.has(object)
      for (const [key, value] of object.entries()) {
        const copy = pageOfTag && key === name('K') ? this.#content(object) : this.#copy(value, depth + 1)
        if (copy) dict.set(key, copy)
      }
      const leads = nameEntry(object, 'S') === 'GoTo' && object.has(name('D'))
      return leads && !dict.has(name('D')) ? undefined : dict
    }
    if (object instanceof PDFRawStream)
      return PDFRawStream.of(this.#copy(object.dict, depth + 1) as PDFDict, object.contents)
    return object
  }

  /** What a tag contains on the pages that are kept. */
  #content(tag: PDFDict): PDFArray {
    const { pageOfTag } = this.#source
    const kept = PDFArray.withContext(this.#taken.context)
    for (const item of contentOf(tag)) {
      const dict = dictOf(follow(tag.context, item))
      const page = (dict && dictEntry(dict, 'Pg')) ?? pageOfTag.get(tag)
      const isLost =
        dict && isTag(dict) ? false : this.#isGone(page) || (dict && this.#isGone(entry(dict, 'Obj')))
      const copy = isLost ? undefined : this.#copy(item)
      if (copy) kept.push(copy)
    }
    return kept
  }

  /** Whether a bookmark or link leads to a page that is left out. */
  #leadsAway(dict: PDFDict): boolean {
    const action = dictEntry(dict, 'A')
    return [entry(dict, 'Dest'), action && entry(action, 'D')].some(
      place => place instanceof PDFArray && place.size() > 0 && this.#isGone(place.get(0)),
    )
  }

  /** Names of places and of other things. */
  #names(): void {
    const { context, catalog } = this.#taken
    const trees = PDFDict.withContext(context)
    for (const [key] of dictEntry(this.#source.document.catalog, 'Names')?.entries() ?? []) {
      const tree = this.#tree(dictEntry(this.#source.document.catalog, 'Names')!, key.decodeText(), 'Names')
      if (tree) trees.set(key, tree)
    }
    if (trees.keys().length > 0) catalog.set(name('Names'), trees)
  }

  /** A tree of the pairs whose value is kept. */
  #tree(
    parent: PDFDict,
    key: string,
    list: 'Names' | 'Nums',
    copied = (_key: PDFObject | undefined, value: PDFObject) => this.#copy(value),
  ): PDFDict | undefined {
    const pairs = PDFArray.withContext(this.#taken.context)
    for (const [at, value] of pairsIn(dictEntry(parent, key), list)) {
      const copy = at && copied(at, value)
      if (!copy) continue
      pairs.push(at)
      pairs.push(copy)
    }
    return pairs.size() > 0 ? this.#taken.context.obj({ [list]: pairs }) : undefined
  }

  #structure(): void {
    const source = dictEntry(this.#source.document.catalog, 'StructTreeRoot')
    if (!source) return
    const { context, catalog } = this.#taken
    const ref = context.nextRef()
    const old = this.#source.document.catalog.get(name('StructTreeRoot'))
    if (old instanceof PDFRef) this.#refs.set(old, ref)
    const root = PDFDict.withContext(context)
    for (const [key, value] of source.entries()) {
      const copy = TREES.includes(key.decodeText()) ? undefined : this.#copy(value)
      if (copy) root.set(key, copy)
    }
    root.set(name('K'), this.#content(source))
    const pageOf = new Map(this.#source.pages.map(page => [entry(page, 'StructParents')?.toString(), page]))
    const parents = this.#tree(source, 'ParentTree', 'Nums', (key, value) =>
      this.#parents(pageOf.get(key?.toString()), value),
    )
    const names = this.#tree(source, 'IDTree', 'Names')
    if (parents) root.set(name('ParentTree'), parents)
    if (names) root.set(name('IDTree'), names)
    context.assign(ref, root)
    catalog.set(name('StructTreeRoot'), ref)
  }

  /** The tags of the content of a page, by its numbers, or of an object. */
  #parents(page: PDFDict | undefined, value: PDFObject): PDFObject | undefined {
    if (page && !this.#kept.has(page)) return undefined
    const list = follow(this.#source.document.context, value)
    if (!(list instanceof PDFArray)) return this.#copy(value)
    const copies = list.asArray().map(each => this.#copy(each))
    return copies.some(copy => copy)
      ? this.#taken.context.obj(copies.map(copy => copy ?? PDFNull))
      : undefined
  }

  /** A bookmark, or all of them, with what is left below; undefined if nothing is. A heading over bookmarks that are kept stays as text. */
  #outline(parent: PDFDict, ref: PDFRef, depth: number): PDFDict | undefined {
    const { context } = this.#taken
    const kept: { ref: PDFRef; item: PDFDict }[] = []
    for (const item of depth < DEPTH_LIMIT ? bookmarksBelow(parent) : []) {
      // Most bookmarks of a file that is split lead elsewhere.
      if (!item.has(name('First')) && this.#leadsAway(item)) continue
      const own = context.nextRef()
      const below = this.#outline(item, own, depth + 1)
      if (below && (below.has(name('First')) || !this.#leadsAway(item))) kept.push({ ref: own, item: below })
    }
    const copy = PDFDict.withContext(context)
    for (const [key, value] of parent.entries()) {
      const entry = OUTLINE.includes(key.decodeText()) ? undefined : this.#copy(value)
      if (entry) copy.set(key, entry)
    }
    for (const [index, each] of kept.entries()) {
      each.item.set(name('Parent'), ref)
      if (index > 0) each.item.set(name('Prev'), kept[index - 1]!.ref)
      if (kept[index + 1]) each.item.set(name('Next'), kept[index + 1]!.ref)
      context.assign(each.ref, each.item)
    }
    if (kept.length === 0) return depth > 0 ? copy : undefined
    copy.set(name('First'), kept[0]!.ref)
    copy.set(name('Last'), kept.at(-1)!.ref)
    const isFolded = Number(entry(parent, 'Count')?.toString() ?? 0) < 0
    const shown = kept.reduce(
      (sum, { item }) => sum + 1 + Math.max(0, Number(item.get(name('Count'))?.toString() ?? 0)),
      0,
    )
    copy.set(name('Count'), PDFNumber.of(isFolded ? -shown : shown))
    return copy
  }
}

/** The annotations of a page, as far as they are dictionaries. */
const annotationsOf = (page: PDFDict): PDFDict[] =>
  [...items(page.context, arrayEntry(page, 'Annots'))].flatMap(each => dictOf(each) ?? [])

/** An annotation, and the fields that it belongs to. */
function lineOf(annotation: PDFDict): PDFDict[] {
  const line: PDFDict[] = []
  for (const field of lineage(annotation)) {
    // The parent of a popup is another annotation.
    if (line.length > 0 && field.has(name('Subtype')) && !field.has(name('FT'))) break
    line.push(field)
  }
  return line
}

const isTag = (dict: PDFDict) => dict.has(name('S'))

/** What a tag contains: numbers of content, references to objects, and tags. */
const contentOf = (tag: PDFDict) => listed(tag, 'K')
