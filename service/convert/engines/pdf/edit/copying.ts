/** Copies pages of a document into another one with what belongs to them, and nothing of the others (ISO 32000-1, 7.7.3, 12.3, 12.7 and 14.7). */
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFPageLeaf,
  PDFRawStream,
  PDFRef,
} from '@cantoo/pdf-lib'
import {
  annotationsOf,
  bookmarksBelow,
  dictEntry,
  dictOf,
  entry,
  follow,
  inherited,
  name,
  nameEntry,
} from '../pdfa/objects.ts'
import { lineOf, type PageSource } from './pages.ts'
import { pairsIn } from './trees.ts'

const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate']
/** Entries that say where a bookmark is among the others. */
const OUTLINE = ['Parent', 'Prev', 'Next', 'First', 'Last', 'Count']
/** Entries that lead from content to its tags, by a number. */
const PARENTS = [name('StructParents'), name('StructParent')]

/** Maximum nesting of outlines and objects; nothing shows deeper ones. */
const DEPTH_LIMIT = 100

export class Copying {
  /** The first number that leads to no tag of what was copied. */
  nextParent: number
  readonly #source: PageSource
  readonly #context: PDFContext
  readonly #chosen: readonly number[]
  readonly #firstParent: number
  readonly #kept = new Set<PDFDict>()
  readonly #refs = new Map<PDFRef, PDFRef>()
  readonly #waiting: { ref: PDFRef; object: PDFObject }[] = []

  /**
   * @param chosen numbers of pages, from 0, each of them once
   * @param firstParent of the numbers that lead to its tags
   */
  constructor(source: PageSource, context: PDFContext, chosen: readonly number[], firstParent: number) {
    this.#source = source
    this.#context = context
    this.#chosen = chosen
    this.#firstParent = firstParent
    this.nextParent = firstParent
    const pages = chosen.map(index => source.pages[index]!)
    for (const page of pages) {
      this.#kept.add(page)
      for (const tag of source.tags.get(page) ?? []) this.#kept.add(tag)
    }
    for (const page of pages)
      for (const annotation of annotationsOf(page))
        if (!this.#leadsAway(annotation)) for (const each of lineOf(annotation)) this.#kept.add(each)
    for (const { ref } of this.#places()) this.#refs.set(ref, context.nextRef())
  }

  #places() {
    const pages = this.#source.document.getPages()
    return this.#chosen.map(index => pages[index]!)
  }

  /** The pages, below a node of a tree of pages. */
  pages(parent: PDFRef): PDFRef[] {
    return this.#places().map(({ ref }, at) => {
      const copy = this.#refs.get(ref)!
      this.#context.assign(copy, this.#page(this.#source.pages[this.#chosen[at]!]!, parent))
      return copy
    })
  }

  #page(source: PDFPageLeaf, parent: PDFRef): PDFPageLeaf {
    const page = PDFPageLeaf.fromMapWithContext(new Map(), this.#context, false)
    const entries = INHERITED.map(key => [name(key), inherited(source, key)] as const)
    for (const [key, value] of [...entries, ...source.entries()]) {
      const copy = ['Parent', 'B'].includes(key.decodeText()) || !value ? undefined : this.#entry(key, value)
      if (copy) page.set(key, copy)
    }
    page.set(name('Parent'), parent)
    return page
  }

  /** Copies what was referred to. */
  finish(): void {
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop())
      this.#context.assign(next.ref, this.copy(next.object) ?? PDFNull)
  }

  /** Has references to an object lead to another one. */
  replace(object: PDFObject | undefined, ref: PDFRef): void {
    if (object instanceof PDFRef) this.#refs.set(object, ref)
  }

  #isGone(object: PDFObject | undefined): boolean {
    return this.#isLost(dictOf(follow(this.#source.document.context, object)))
  }

  #isLost(dict: PDFDict | undefined): boolean {
    return dict !== undefined && this.#source.belonging.has(dict) && !this.#kept.has(dict)
  }

  /** An object for the new document; undefined for what belongs to a page that is left out, or leads to one. */
  copy(object: PDFObject | undefined, depth = 0): PDFObject | undefined {
    if (depth > DEPTH_LIMIT) return PDFNull
    if (object instanceof PDFRef) {
      const known = this.#refs.get(object)
      if (known) return known
      const target = this.#source.document.context.lookup(object)
      if (!target || this.#isGone(target)) return undefined
      const ref = this.#context.nextRef()
      this.#refs.set(object, ref)
      this.#waiting.push({ ref, object: target })
      return ref
    }
    if (object instanceof PDFArray) {
      const [first, second] = object.asArray()
      if (first instanceof PDFRef && this.#isGone(first) && second instanceof PDFName) return undefined
      const array = PDFArray.withContext(this.#context)
      for (const value of object.asArray()) {
        const copy = this.copy(value, depth + 1)
        if (copy) array.push(copy)
      }
      return array
    }
    if (object instanceof PDFDict) {
      if (this.#isGone(object)) return undefined
      const dict = PDFDict.withContext(this.#context)
      const isOfTag = this.#source.pageOfTag.has(object)
      for (const [key, value] of object.entries()) {
        const copy =
          isOfTag && key === name('K')
            ? this.#context.obj(this.content(object))
            : this.#entry(key, value, depth)
        if (copy) dict.set(key, copy)
      }
      const leads = nameEntry(object, 'S') === 'GoTo' && object.has(name('D'))
      return leads && !dict.has(name('D')) ? undefined : dict
    }
    if (object instanceof PDFRawStream)
      return PDFRawStream.of(this.copy(object.dict, depth + 1) as PDFDict, object.contents)
    return object
  }

  #entry(key: PDFName, value: PDFObject, depth = 0): PDFObject | undefined {
    const number = PARENTS.includes(key) && follow(this.#source.document.context, value)
    if (!(number instanceof PDFNumber)) return this.copy(value, depth + 1)
    return this.#source.isTagged ? PDFNumber.of(this.#parentAt(number)) : undefined
  }

  #parentAt(number: PDFNumber): number {
    const own = this.#firstParent + number.asNumber()
    this.nextParent = Math.max(this.nextParent, own + 1)
    return own
  }

  /** What a tag contains on the pages that are kept. */
  content(tag: PDFDict): PDFObject[] {
    const outer = this.#source.pageOfTag.get(tag)
    const parts =
      this.#source.parts.get(tag)?.filter(({ dict, isTag }) => !isTag || !this.#isLost(dict)) ?? []
    return parts.flatMap(({ item, dict, isTag }) => {
      const isLost =
        !isTag && (this.#isLost(dictEntry(dict, 'Pg') ?? outer) || this.#isGone(entry(dict, 'Obj')))
      return (isLost ? undefined : this.copy(item)) ?? []
    })
  }

  /** The tags of content and of objects by their numbers. */
  parents(): [number, PDFObject][] {
    const { parents, document } = this.#source
    const pairs = [undefined, ...this.#chosen.map(index => this.#source.pages[index])].flatMap(
      page => parents.get(page) ?? [],
    )
    return pairs
      .flatMap(([key, value]): [number, PDFObject][] => {
        const list = follow(document.context, value)
        if (!(key instanceof PDFNumber)) return []
        const copies = list instanceof PDFArray && list.asArray().map(each => this.copy(each))
        const copy = copies
          ? copies.some(Boolean) && this.#context.obj(copies.map(each => each ?? PDFNull))
          : this.copy(value)
        return copy ? [[this.#parentAt(key), copy]] : []
      })
      .sort(([one], [other]) => one - other)
  }

  /** The pairs of a tree of names whose value is kept. */
  names(tree: PDFDict | undefined): [PDFObject, PDFObject][] {
    return [...pairsIn(tree, 'Names')].flatMap(([key, value]): [PDFObject, PDFObject][] => {
      const copy = key && this.copy(value)
      return copy ? [[key, copy]] : []
    })
  }

  /** Whether a bookmark or link leads to a page that is left out. */
  #leadsAway(dict: PDFDict): boolean {
    return [entry(dict, 'Dest'), entry(dict, 'A', 'D')].some(
      place => place instanceof PDFArray && place.size() > 0 && this.#isGone(place.get(0)),
    )
  }

  /** A bookmark, or all of them, with what is left below; undefined if nothing is. A heading over bookmarks that are kept stays as text. */
  outline(parent: PDFDict, ref: PDFRef, depth = 0): PDFDict | undefined {
    const kept: { ref: PDFRef; item: PDFDict }[] = []
    for (const item of depth < DEPTH_LIMIT ? bookmarksBelow(parent) : []) {
      // Most bookmarks of a file that is split lead elsewhere.
      if (!item.has(name('First')) && this.#leadsAway(item)) continue
      const own = this.#context.nextRef()
      const below = this.outline(item, own, depth + 1)
      if (below && (below.has(name('First')) || !this.#leadsAway(item))) kept.push({ ref: own, item: below })
    }
    const copy = PDFDict.withContext(this.#context)
    for (const [key, value] of parent.entries()) {
      const entry = OUTLINE.includes(key.decodeText()) ? undefined : this.copy(value)
      if (entry) copy.set(key, entry)
    }
    if (kept.length === 0) return depth > 0 ? copy : undefined
    const isFolded = Number(entry(parent, 'Count')?.toString() ?? 0) < 0
    setBookmarks(copy, ref, kept, isFolded)
    return copy
  }
}

/** Has bookmarks stand below one, or be the outermost. */
export function setBookmarks(
  parent: PDFDict,
  ref: PDFRef,
  below: readonly { ref: PDFRef; item: PDFDict }[],
  isFolded: boolean,
): void {
  const { context } = parent
  let shown = 0
  for (const [index, { ref: own, item }] of below.entries()) {
    item.set(name('Parent'), ref)
    if (index > 0) item.set(name('Prev'), below[index - 1]!.ref)
    if (below[index + 1]) item.set(name('Next'), below[index + 1]!.ref)
    context.assign(own, item)
    shown += 1 + Math.max(0, Number(item.get(name('Count'))?.toString() ?? 0))
  }
  parent.set(name('First'), below[0]!.ref)
  parent.set(name('Last'), below.at(-1)!.ref)
  parent.set(name('Count'), PDFNumber.of(isFolded ? -shown : shown))
}
