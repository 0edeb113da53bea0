/** Joins PDF documents with all that they contain: pages, bookmarks, links, form fields, tags, layers and attachments (ISO 32000-1). */
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
} from '@cantoo/pdf-lib'
import { DamagedFile } from '../../common/damage.ts'
import {
  allDicts,
  arrayEntry,
  bookmarksBelow,
  dictEntry,
  dictOf,
  entry,
  follow,
  items,
  listed,
  name,
  remove,
  textOf,
} from '../pdfa/objects.ts'
import { attachedFiles, setAttachedFiles } from './attachments.ts'
import { resolvePlaces } from './destinations.ts'
import { type Label, labelsOf, labelTree } from './labels.ts'
import { pairsIn } from './trees.ts'

export interface JoinedFile {
  /** Text of its bookmark. */
  title: string
  document: PDFDocument
}

/** Maximum nesting of objects. */
const DEPTH_LIMIT = 100

/**
 * One document of the pages of all of them, in this order. The given documents are changed.
 * @param options `bookmarks`: with a bookmark for each file, and its own below
 */
export async function joinDocuments(
  files: readonly JoinedFile[],
  { bookmarks }: { bookmarks: boolean },
): Promise<PDFDocument> {
  const joined = await PDFDocument.create({ updateMetadata: false })
  const joining = new Joining(joined)
  for (const { title, document } of files) joining.add(document, bookmarks ? title : undefined)
  joining.finish()
  return joined
}

class Joining {
  readonly #document: PDFDocument
  readonly #context: PDFDocument['context']
  readonly #pages: PDFArray
  readonly #bookmarks: { ref: PDFRef; item: PDFDict }[] = []
  readonly #outlines: PDFRef
  readonly #attachments: [string, PDFObject][] = []
  readonly #fields = new Set<string>()
  /** Tags of everything, and the table that leads from content to them. */
  readonly #tags: PDFArray
  readonly #parents: PDFArray
  readonly #tagRoot: PDFRef
  /** Of each document, or how many pages without labels it has. */
  readonly #labels: (Label[] | number)[] = []
  #nextParent = 0
  #pageCount = 0

  constructor(document: PDFDocument) {
    this.#document = document
    this.#context = document.context
    this.#outlines = this.#context.nextRef()
    this.#tagRoot = this.#context.nextRef()
    this.#pages = PDFArray.withContext(this.#context)
    this.#tags = PDFArray.withContext(this.#context)
    this.#parents = PDFArray.withContext(this.#context)
  }

  add(source: PDFDocument, title: string | undefined): void {
    resolvePlaces(source)
    const first = source.getPage(0).ref
    const parents = renumberParents(source, this.#nextParent)
    const offset = this.#context.largestObjectNumber
    for (const [ref, object] of source.context.enumerateIndirectObjects())
      this.#context.assign(moved(ref, offset), this.#rebased(object, offset))
    const root = source.context.trailerInfo.Root
    const catalog = root instanceof PDFRef ? dictOf(this.#context.lookup(moved(root, offset))) : undefined
    const pages = catalog?.get(name('Pages'))
    const tree = dictOf(follow(this.#context, pages))
    if (!catalog || !(pages instanceof PDFRef) || !tree) throw new DamagedFile('no pages')
    this.#pages.push(pages)
    tree.set(name('Parent'), this.#document.catalog.get(name('Pages'))!)
    this.#labels.push(labelsOf(source) ?? source.getPageCount())
    this.#pageCount += source.getPageCount()
    if (title !== undefined) this.#bookmark(catalog, title, moved(first, offset))
    this.#form(catalog)
    this.#structure(catalog, parents, offset)
    this.#layers(catalog)
    for (const [key, value] of attachedFiles(source))
      this.#attachments.push([key, this.#rebased(value, offset)])
    if (catalog.has(name('Lang')) && !this.#document.catalog.has(name('Lang')))
      this.#document.catalog.set(name('Lang'), catalog.get(name('Lang'))!)
    // The title, and what else the first document with a title says of itself.
    const { Info } = source.context.trailerInfo
    if (Info instanceof PDFRef && dictOf(source.context.lookup(Info))?.has(name('Title')))
      this.#context.trailerInfo.Info ??= moved(Info, offset)
  }

  finish(): void {
    const { catalog } = this.#document
    const context = this.#context
    const tree = dictEntry(catalog, 'Pages')!
    tree.set(name('Kids'), this.#pages)
    tree.set(name('Count'), PDFNumber.of(this.#pageCount))
    if (this.#bookmarks.length > 0) {
      for (const [index, { item }] of this.#bookmarks.entries()) {
        const [before, after] = [this.#bookmarks[index - 1], this.#bookmarks[index + 1]]
        if (before) item.set(name('Prev'), before.ref)
        if (after) item.set(name('Next'), after.ref)
      }
      const [First, Last] = [this.#bookmarks[0]!.ref, this.#bookmarks.at(-1)!.ref]
      const Count = this.#bookmarks.length
      context.assign(this.#outlines, context.obj({ Type: 'Outlines', First, Last, Count }))
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
    if (this.#tags.size() > 0) {
      const root = this.#tagRootDict()
      root.set(name('K'), this.#tags)
      root.set(name('ParentTree'), context.register(context.obj({ Nums: this.#parents })))
      root.set(name('ParentTreeNextKey'), PDFNumber.of(this.#nextParent))
    }
    if (this.#attachments.length > 0) setAttachedFiles(this.#document, this.#attachments)
  }

  /** The object with its references moved. Documents are read with each object by itself, so nothing else refers to a number. */
  #rebased(object: PDFObject, offset: number, depth = 0): PDFObject {
    if (depth > DEPTH_LIMIT) return PDFNull
    if (object instanceof PDFRef) return moved(object, offset)
    if (object instanceof PDFArray) {
      const array = PDFArray.withContext(this.#context)
      for (const value of object.asArray()) array.push(this.#rebased(value, offset, depth + 1))
      return array
    }
    if (object instanceof PDFDict) {
      const dict = PDFDict.withContext(this.#context)
      for (const [key, value] of object.entries()) dict.set(key, this.#rebased(value, offset, depth + 1))
      return dict
    }
    if (object instanceof PDFRawStream)
      return PDFRawStream.of(this.#rebased(object.dict, offset, depth + 1) as PDFDict, object.contents)
    return object
  }

  /** A bookmark that leads to the first page of a file, above those of the file itself. */
  #bookmark(catalog: PDFDict, title: string, page: PDFRef): void {
    const context = this.#context
    const Title = PDFHexString.fromText(title)
    const item = context.obj({ Title, Parent: this.#outlines, Dest: [page, 'Fit'] })
    const ref = context.register(item)
    this.#bookmarks.push({ ref, item })
    const outlines = dictEntry(catalog, 'Outlines')
    const [first, last] = [outlines?.get(name('First')), outlines?.get(name('Last'))]
    if (!first || !last) return
    const own = [...bookmarksBelow(outlines)]
    for (const each of own) each.set(name('Parent'), ref)
    item.set(name('First'), first)
    item.set(name('Last'), last)
    // Negative, since the bookmarks of the file are folded.
    item.set(name('Count'), PDFNumber.of(-own.length))
  }

  /** Adds the fields of a document; one whose name is taken gets another, since fields of one name have one value. */
  #form(catalog: PDFDict): void {
    const form = dictEntry(catalog, 'AcroForm')
    const fields = form && arrayEntry(form, 'Fields')
    if (!form || !fields || fields.size() === 0) return
    remove(form, 'XFA', 'SigFlags')
    const own = this.#document.catalog
    const all = dictEntry(own, 'AcroForm')
    const taken = new Set(this.#fields)
    // The defaults of a form hold of its own fields alone.
    const defaults = ['DA', 'Q'].flatMap(key =>
      form.has(name(key)) ? [[name(key), form.get(name(key))!] as const] : [],
    )
    remove(form, 'Q')
    for (const field of items(this.#context, fields)) {
      const dict = dictOf(field)
      if (!dict) continue
      const title = textOf(entry(dict, 'T'))
      let unique = title
      for (let copy = 2; taken.has(unique); copy++) unique = `${title} ${copy}`
      if (unique !== title) dict.set(name('T'), PDFHexString.fromText(unique))
      this.#fields.add(unique)
      for (const [key, value] of defaults) if (!dict.has(key)) dict.set(key, value)
    }
    if (!all) {
      own.set(name('AcroForm'), this.#context.register(form))
      form.set(name('Fields'), fields)
      return
    }
    append(all, 'Fields', fields)
    append(all, 'CO', arrayEntry(form, 'CO'))
    if (form.has(name('NeedAppearances')))
      all.set(name('NeedAppearances'), form.get(name('NeedAppearances'))!)
    const [resources, more] = [dictEntry(all, 'DR'), dictEntry(form, 'DR')]
    if (!resources && more) all.set(name('DR'), more)
    for (const [key, value] of more?.entries() ?? []) {
      const [into, from] = [
        resources && dictOf(entry(resources, key.decodeText())),
        dictOf(follow(this.#context, value)),
      ]
      if (!into) resources?.set(key, value)
      else for (const [each, object] of from?.entries() ?? []) if (!into.has(each)) into.set(each, object)
    }
  }

  #tagRootDict(): PDFDict {
    const { catalog } = this.#document
    const known = this.#context.lookup(this.#tagRoot)
    if (known instanceof PDFDict) return known
    const root = this.#context.obj({ Type: 'StructTreeRoot' })
    this.#context.assign(this.#tagRoot, root)
    catalog.set(name('StructTreeRoot'), this.#tagRoot)
    catalog.set(name('MarkInfo'), this.#context.obj({ Marked: true }))
    return root
  }

  #structure(catalog: PDFDict, { numbers, next }: Parents, offset: number): void {
    const tags = dictEntry(catalog, 'StructTreeRoot')
    if (!tags) return
    this.#nextParent = next
    const root = this.#tagRootDict()
    for (const element of listed(tags, 'K')) {
      dictOf(follow(this.#context, element))?.set(name('P'), this.#tagRoot)
      this.#tags.push(element)
    }
    for (const [key, parent] of numbers) {
      this.#parents.push(PDFNumber.of(key))
      this.#parents.push(this.#rebased(parent, offset))
    }
    for (const key of ['RoleMap', 'ClassMap']) {
      const [into, from] = [dictEntry(root, key), dictEntry(tags, key)]
      if (!into && from) root.set(name(key), from)
      for (const [each, object] of (into && from?.entries()) ?? [])
        if (!into?.has(each)) into?.set(each, object)
    }
    append(root, 'Namespaces', arrayEntry(tags, 'Namespaces'))
  }

  /** Layers, some of which may be hidden. */
  #layers(catalog: PDFDict): void {
    const layers = dictEntry(catalog, 'OCProperties')
    const own = dictEntry(this.#document.catalog, 'OCProperties')
    if (!layers) return
    const standard = dictEntry(layers, 'D')
    if (standard && entry(standard, 'BaseState') === name('OFF')) {
      // Layers of other documents are shown.
      const shown = new Set([...items(this.#context, arrayEntry(standard, 'ON'))])
      const groups = arrayEntry(layers, 'OCGs')?.asArray() ?? []
      standard.set(
        name('OFF'),
        this.#context.obj(groups.filter(group => !shown.has(follow(this.#context, group)))),
      )
      remove(standard, 'BaseState', 'ON')
    }
    if (!own) {
      this.#document.catalog.set(name('OCProperties'), this.#context.register(layers))
      return
    }
    append(own, 'OCGs', arrayEntry(layers, 'OCGs'))
    const [all, more] = [dictEntry(own, 'D'), standard]
    for (const key of ['ON', 'OFF', 'Order', 'Locked', 'RBGroups', 'AS'])
      if (all && more) append(all, key, arrayEntry(more, key))
  }
}

const moved = (ref: PDFRef, offset: number) => PDFRef.of(ref.objectNumber + offset)

/** Appends to an array of a dictionary. */
function append(dict: PDFDict, key: string, more: PDFArray | undefined): void {
  if (!more) return
  const array = arrayEntry(dict, key) ?? PDFArray.withContext(dict.context)
  for (const value of more.asArray()) array.push(value)
  dict.set(name(key), array)
}

interface Parents {
  /** What the numbers of content lead to. */
  numbers: [number, PDFObject][]
  /** The first number that is free after them. */
  next: number
}

/** Numbers the tagged content of a document from `start` on. */
function renumberParents(document: PDFDocument, start: number): Parents {
  const tags = dictEntry(document.catalog, 'StructTreeRoot')
  const tree = tags && dictEntry(tags, 'ParentTree')
  const numbers = [...pairsIn(tree, 'Nums')].flatMap(([key, value]): [number, PDFObject][] =>
    key instanceof PDFNumber ? [[key.asNumber(), value]] : [],
  )
  let next = numbers.reduce((most, [key]) => Math.max(most, start + key + 1), start)
  for (const { dict } of allDicts(document))
    for (const key of ['StructParents', 'StructParent']) {
      const value = entry(dict, key)
      if (!(value instanceof PDFNumber)) continue
      if (!tags) remove(dict, key)
      else dict.set(name(key), PDFNumber.of(start + value.asNumber()))
      next = Math.max(next, start + value.asNumber() + 1)
    }
  return { numbers: numbers.map(([key, value]) => [start + key, value]), next: tags ? next : start }
}
