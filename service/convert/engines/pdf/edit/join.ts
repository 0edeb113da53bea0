/** Makes documents of pages of others with all that they contain: bookmarks, links, form fields, tags, layers and attachments (ISO 32000-1). */
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFNumber,
  type PDFObject,
  type PDFRef,
} from '@cantoo/pdf-lib'
import {
  arrayEntry,
  dictEntry,
  dictOf,
  entry,
  follow,
  items,
  name,
  numberEntry,
  remove,
  textOf,
} from '../pdfa/objects.ts'
import { attachedFiles, setAttachedFiles } from './attachments.ts'
import { Copying, setBookmarks } from './copying.ts'
import { type Label, labelTree } from './labels.ts'
import { PageSource } from './pages.ts'

export interface JoinedFile {
  /** Text of its bookmark. */
  title: string
  document: PDFDocument
}

/** Entries of the catalogue and of the root of tags that are made anew, or left out. */
const CATALOGUE = ['Type', 'Pages', 'Outlines', 'Names', 'StructTreeRoot', 'PageLabels', 'Threads']
const TREES = ['K', 'ParentTree', 'IDTree', 'ParentTreeNextKey']
/** Entries of the catalogue that hold of several documents together. */
const COMMON = ['AcroForm', 'OCProperties', 'Lang']

/**
 * A document of pages of another one, in this order. Bookmarks, links, form fields and tags of its other pages do not come with them.
 * @param chosen numbers of pages, from 0, each of them once
 */
export async function takePages(source: PageSource, chosen: readonly number[]): Promise<PDFDocument> {
  const taken = await PDFDocument.create({ updateMetadata: false })
  taken.context.header = source.document.context.header
  const joining = new Joining(taken, false)
  joining.add(source, chosen)
  joining.finish()
  return taken
}

/**
 * One document of the pages of all of them, in this order. The given documents are changed.
 * @param options `bookmarks`: with a bookmark for each file, and its own below
 */
export async function joinDocuments(
  files: readonly JoinedFile[],
  { bookmarks }: { bookmarks: boolean },
): Promise<PDFDocument> {
  const joined = await PDFDocument.create({ updateMetadata: false })
  const joining = new Joining(joined, true)
  for (const { title, document } of files) {
    const source = new PageSource(document)
    joining.add(source, [...source.pages.keys()], bookmarks ? title : undefined)
  }
  joining.finish()
  return joined
}

class Joining {
  readonly #document: PDFDocument
  readonly #context: PDFDocument['context']
  /** Whether the document is made of several, so that what holds of one as a whole does not hold of it. */
  readonly #isOfSeveral: boolean
  readonly #bookmarks: { ref: PDFRef; item: PDFDict }[] = []
  readonly #outlines: PDFRef
  readonly #names = new Map<string, PDFObject[]>()
  readonly #fields = new Set<string>()
  /** Tags of everything, and the tables that lead to them from content and from names. */
  readonly #tags: PDFObject[] = []
  readonly #parents: PDFObject[] = []
  readonly #ids: PDFObject[] = []
  readonly #tagRoot: PDFRef
  /** Of each document, or how many pages without labels it has. */
  readonly #labels: (Label[] | number)[] = []
  #nextParent = 0

  constructor(document: PDFDocument, isOfSeveral: boolean) {
    this.#document = document
    this.#context = document.context
    this.#isOfSeveral = isOfSeveral
    this.#outlines = this.#context.nextRef()
    this.#tagRoot = this.#context.nextRef()
  }

  /** @param title of a bookmark that leads to the first of the pages */
  add(source: PageSource, chosen: readonly number[], title?: string): void {
    const { catalog } = this.#document
    const { catalog: own, context } = source.document
    const copying = new Copying(source, this.#context, chosen, this.#nextParent)
    const pages = copying.pages(catalog.get(name('Pages')) as PDFRef)
    for (const page of pages) catalog.Pages().pushLeafNode(page)
    this.#labels.push(source.labels ? chosen.map(index => source.labels![index]!) : pages.length)
    const entries = this.#copied(copying, own, key =>
      this.#isOfSeveral ? COMMON.includes(key) : !CATALOGUE.includes(key),
    )
    const names = dictEntry(own, 'Names')
    for (const key of names?.keys().map(each => each.decodeText()) ?? [])
      if (!this.#isOfSeveral || key === 'EmbeddedFiles')
        this.#names.set(key, [
          ...(this.#names.get(key) ?? []),
          ...copying.names(dictEntry(names!, key)).flat(),
        ])
    const outlines = dictEntry(own, 'Outlines')
    if (title !== undefined) this.#bookmark(title, pages[0]!, copying, outlines)
    else if (!this.#isOfSeveral && outlines) {
      const copy = copying.outline(outlines, this.#outlines)
      if (copy) this.#context.assign(this.#outlines, copy)
      if (copy) catalog.set(name('Outlines'), this.#outlines)
    }
    const tags = dictEntry(own, 'StructTreeRoot')
    copying.replace(own.get(name('StructTreeRoot')), this.#tagRoot)
    const root = tags && this.#copied(copying, tags, key => !TREES.includes(key))
    if (tags) {
      this.#tags.push(...copying.content(tags))
      for (const [key, parent] of copying.parents()) this.#parents.push(PDFNumber.of(key), parent)
      this.#ids.push(...copying.names(dictEntry(tags, 'IDTree')).flat())
    }
    // The title, and what else the first document with a title says of itself.
    const { Info } = context.trailerInfo
    const isNamed = !this.#isOfSeveral || dictOf(follow(context, Info))?.has(name('Title'))
    const information = this.#context.trailerInfo.Info || !isNamed ? undefined : copying.copy(Info)
    if (information) this.#context.trailerInfo.Info = information
    copying.finish()
    this.#nextParent = copying.nextParent
    if (this.#isOfSeveral) {
      this.#nameFields(dictEntry(entries, 'AcroForm'))
      listHidden(dictEntry(entries, 'OCProperties'))
    }
    merge(catalog, entries, 3)
    if (root) merge(this.#tagRootDict(), root, 1)
  }

  #copied(copying: Copying, dict: PDFDict, isWanted: (key: string) => boolean): PDFDict {
    const copies = PDFDict.withContext(this.#context)
    for (const [key, value] of dict.entries()) {
      const copy = isWanted(key.decodeText()) ? copying.copy(value) : undefined
      if (copy) copies.set(key, copy)
    }
    return copies
  }

  finish(): void {
    const { catalog } = this.#document
    const context = this.#context
    if (this.#bookmarks.length > 0) {
      const outlines = context.obj({ Type: 'Outlines' })
      setBookmarks(outlines, this.#outlines, this.#bookmarks, false)
      context.assign(this.#outlines, outlines)
      catalog.set(name('Outlines'), this.#outlines)
      catalog.set(name('PageMode'), name('UseOutlines'))
    }
    if (this.#labels.some(each => typeof each !== 'number')) {
      const labels: Label[] = []
      const numbered = (_: unknown, page: number) => ({
        prefix: undefined,
        style: name('D'),
        number: labels.length + page + 1,
      })
      for (const each of this.#labels)
        labels.push(...(typeof each === 'number' ? Array.from({ length: each }, numbered) : each))
      catalog.set(name('PageLabels'), labelTree(context, labels))
    }
    if (this.#tags.length > 0) {
      const root = this.#tagRootDict()
      root.set(name('K'), context.obj(this.#tags))
      root.set(name('ParentTree'), context.register(context.obj({ Nums: this.#parents })))
      root.set(name('ParentTreeNextKey'), PDFNumber.of(this.#nextParent))
      if (this.#ids.length > 0) root.set(name('IDTree'), context.obj({ Names: this.#ids }))
    }
    const names = [...this.#names].filter(([, pairs]) => pairs.length > 0)
    if (names.length === 0) return
    catalog.set(name('Names'), context.obj(Object.fromEntries(names.map(([key, Names]) => [key, { Names }]))))
    if (this.#isOfSeveral) setAttachedFiles(this.#document, attachedFiles(this.#document))
  }

  /** A bookmark that leads to the first page of a file, above those of the file itself, which are folded. */
  #bookmark(title: string, page: PDFRef, copying: Copying, outlines: PDFDict | undefined): void {
    const ref = this.#context.nextRef()
    const item = (outlines && copying.outline(outlines, ref)) ?? PDFDict.withContext(this.#context)
    if (item.has(name('Count'))) item.set(name('Count'), PDFNumber.of(-Math.abs(numberEntry(item, 'Count')!)))
    remove(item, 'Type')
    item.set(name('Title'), PDFHexString.fromText(title))
    item.set(name('Dest'), this.#context.obj([page, 'Fit']))
    this.#bookmarks.push({ ref, item })
  }

  /** Gives fields whose name is taken another, since fields of one name have one value, and all of them their defaults. */
  #nameFields(form: PDFDict | undefined): void {
    if (!form) return
    remove(form, 'XFA', 'SigFlags')
    const taken = new Set(this.#fields)
    // The defaults of a form hold of its own fields alone.
    const defaults = ['DA', 'Q'].flatMap(key =>
      form.has(name(key)) ? [[name(key), form.get(name(key))!] as const] : [],
    )
    remove(form, 'Q')
    for (const field of items(this.#context, arrayEntry(form, 'Fields'))) {
      const dict = dictOf(field)
      if (!dict) continue
      const title = textOf(entry(dict, 'T'))
      let unique = title
      for (let copy = 2; taken.has(unique); copy++) unique = `${title} ${copy}`
      if (unique !== title) dict.set(name('T'), PDFHexString.fromText(unique))
      this.#fields.add(unique)
      for (const [key, value] of defaults) if (!dict.has(key)) dict.set(key, value)
    }
  }

  #tagRootDict(): PDFDict {
    const { catalog } = this.#document
    const known = this.#context.lookup(this.#tagRoot)
    if (known instanceof PDFDict) return known
    const root = this.#context.obj({ Type: 'StructTreeRoot' })
    this.#context.assign(this.#tagRoot, root)
    catalog.set(name('StructTreeRoot'), this.#tagRoot)
    if (this.#isOfSeveral) catalog.set(name('MarkInfo'), this.#context.obj({ Marked: true }))
    return root
  }
}

/** Has the layers of a document that are hidden unless they are listed be listed themselves, since those of others are shown. */
function listHidden(layers: PDFDict | undefined): void {
  const standard = dictEntry(layers, 'D')
  if (!layers || !standard || entry(standard, 'BaseState') !== name('OFF')) return
  const { context } = layers
  const shown = new Set([...items(context, arrayEntry(standard, 'ON'))])
  const groups = arrayEntry(layers, 'OCGs')?.asArray() ?? []
  standard.set(name('OFF'), context.obj(groups.filter(group => !shown.has(follow(context, group)))))
  remove(standard, 'BaseState', 'ON')
}

/** Adds the entries of a dictionary to another one: lists become one, and so do dictionaries, down to a depth; otherwise the first one stays. */
function merge(into: PDFDict, from: PDFDict, depth: number): void {
  for (const [key, value] of from.entries()) {
    const [known, more] = [follow(into.context, into.get(key)), follow(into.context, value)]
    if (known === undefined) into.set(key, value)
    else if (known instanceof PDFArray && more instanceof PDFArray)
      for (const item of more.asArray()) known.push(item)
    else if (known instanceof PDFDict && more instanceof PDFDict && depth > 0) merge(known, more, depth - 1)
  }
}
