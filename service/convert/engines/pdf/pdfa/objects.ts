/** Helpers for a PDF's objects in pdf-lib; none of them throws on a damaged file. */
import { deflateSync } from 'node:zlib'
import {
  decodePDFRawStream,
  PDFArray,
  PDFContentStream,
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
} from '@cantoo/pdf-lib'

export const name = (text: string): PDFName => PDFName.of(text)

/** The dictionary of an object: its own, or its stream's. */
export function dictOf(object: PDFObject | undefined): PDFDict | undefined {
  if (object instanceof PDFDict) return object
  return object instanceof PDFStream ? object.dict : undefined
}

/** The target of a reference. */
export const follow = (context: PDFContext, object: PDFObject | undefined): PDFObject | undefined =>
  object instanceof PDFRef ? context.lookup(object) : object

/** An entry of a dictionary, or of one within it: the keys lead there. */
export function entry(dict: PDFDict | undefined, ...keys: string[]): PDFObject | undefined {
  let found: PDFObject | undefined = dict
  for (const key of keys) {
    const outer = dictOf(found)
    found = outer && follow(outer.context, outer.get(name(key)))
  }
  return found
}

export const dictEntry = (dict: PDFDict | undefined, ...keys: string[]): PDFDict | undefined =>
  dictOf(entry(dict, ...keys))

export function arrayEntry(dict: PDFDict | undefined, ...keys: string[]): PDFArray | undefined {
  const value = entry(dict, ...keys)
  return value instanceof PDFArray ? value : undefined
}

export function nameEntry(dict: PDFDict | undefined, ...keys: string[]): string | undefined {
  const value = entry(dict, ...keys)
  return value instanceof PDFName ? value.decodeText() : undefined
}

export function numberEntry(dict: PDFDict | undefined, ...keys: string[]): number | undefined {
  const value = entry(dict, ...keys)
  return value instanceof PDFNumber ? value.asNumber() : undefined
}

/** The numbers of an array; those of anything else are not numbers. Undefined if it is no array. */
export const numbersOf = (array: PDFObject | undefined): number[] | undefined =>
  array instanceof PDFArray
    ? Array.from({ length: array.size() }, (_, index) => {
        const value = array.lookup(index)
        return value instanceof PDFNumber ? value.asNumber() : Number.NaN
      })
    : undefined

export const numbersEntry = (dict: PDFDict | undefined, ...keys: string[]): number[] | undefined =>
  numbersOf(entry(dict, ...keys))

/** Text of a string; empty for anything else. */
export function textOf(value: PDFObject | undefined): string {
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : ''
}

/** The items of an array, with references resolved. */
export function* items(context: PDFContext, array: PDFArray | undefined): Generator<PDFObject | undefined> {
  for (let i = 0; array && i < array.size(); i++) yield follow(context, array.get(i))
}

/** The items of an entry that is an array, or itself, as they are written. */
export function listed(dict: PDFDict, key: string): PDFObject[] {
  const value = dict.get(name(key))
  const list = follow(dict.context, value)
  return list instanceof PDFArray ? list.asArray() : value ? [value] : []
}

/** The bookmarks directly below one, or the outermost; a damaged list may lead back into itself. */
export const bookmarksBelow = (parent: PDFDict | undefined): IteratorObject<PDFDict> =>
  chain(dictEntry(parent, 'First'), 'Next')

/** An object and those above it, by their entry `Parent`. */
export const lineage = (dict: PDFDict): IteratorObject<PDFDict> => chain(dict, 'Parent').take(DEPTH_LIMIT)

/** A dictionary, and those to which an entry leads from one to the next, each once. */
function* chain(first: PDFDict | undefined, key: string): Generator<PDFDict> {
  const seen = new Set<PDFDict>()
  for (let next = first; next && !seen.has(next); next = dictEntry(next, key)) {
    seen.add(next)
    yield next
  }
}

/** An entry of a page, which may stand in a node above it (ISO 32000-1, 7.7.3.4); a reference is not followed. */
export function inherited(page: PDFDict, key: string): PDFObject | undefined {
  for (const node of lineage(page)) if (node.has(name(key))) return node.get(name(key))
  return undefined
}

/** The resources of a page. */
export const resourcesOf = (page: PDFDict): PDFDict | undefined =>
  dictOf(follow(page.context, inherited(page, 'Resources')))

/** The annotations of a page, as far as they are dictionaries. */
export const annotationsOf = (page: PDFDict): PDFDict[] =>
  [...items(page.context, arrayEntry(page, 'Annots'))].flatMap(each => dictOf(each) ?? [])

/** Keeps the annotations of a page that pass. @returns whether any went */
export function keepAnnotations(page: PDFDict, isKept: (annotation: PDFDict) => boolean): boolean {
  const all = arrayEntry(page, 'Annots')?.asArray() ?? []
  const kept = all.filter(each => {
    const annotation = dictOf(follow(page.context, each))
    return annotation && isKept(annotation)
  })
  page.set(name('Annots'), page.context.obj(kept))
  return kept.length < all.length
}

/** Removes entries of a dictionary. */
export function remove(dict: PDFDict | undefined, ...keys: string[]): void {
  for (const key of keys) dict?.delete(name(key))
}

/** Maximum nesting of objects; nothing draws deeper ones. */
const DEPTH_LIMIT = 64

/** Every dictionary of a document, including those within other objects and those of streams. */
export function* allDicts(document: PDFDocument): Generator<{ dict: PDFDict; stream?: PDFStream }> {
  for (const [, object] of document.context.enumerateIndirectObjects()) yield* dictsIn(object, 0)
}

function* dictsIn(
  object: PDFObject | undefined,
  depth: number,
): Generator<{ dict: PDFDict; stream?: PDFStream }> {
  if (depth > DEPTH_LIMIT) return
  if (object instanceof PDFStream) {
    yield { dict: object.dict, stream: object }
    for (const value of object.dict.values()) yield* dictsIn(value, depth + 1)
  } else if (object instanceof PDFDict) {
    yield { dict: object }
    for (const value of object.values()) yield* dictsIn(value, depth + 1)
  } else if (object instanceof PDFArray) {
    for (const value of object.asArray()) yield* dictsIn(value, depth + 1)
  }
}

/** Names of a stream's filters, in order. */
export const filtersOf = (dict: PDFDict): string[] =>
  listed(dict, 'Filter').map(filter => {
    const named = follow(dict.context, filter)
    return named instanceof PDFName ? named.decodeText() : ''
  })

export const isRaw = (stream: PDFObject | undefined): stream is PDFRawStream => stream instanceof PDFRawStream

/** The data of a stream; undefined if it is none, or cannot be decoded. */
export function dataOf(stream: PDFObject | undefined): Buffer | undefined {
  try {
    if (stream instanceof PDFContentStream) return Buffer.from(stream.getUnencodedContents())
    return isRaw(stream) ? Buffer.from(decodePDFRawStream(stream).decode()) : undefined
  } catch {
    return undefined
  }
}

/** Gives a stream other data, which are packed. */
export function setData(stream: PDFRawStream, data: Uint8Array): void {
  const packed = deflateSync(data)
  remove(stream.dict, 'DecodeParms', 'DP')
  stream.dict.set(name('Filter'), name('FlateDecode'))
  stream.dict.set(name('Length'), PDFNumber.of(packed.length))
  stream.updateContents(packed)
}

/** The streams of a page's content. */
export const contentStreams = (page: PDFDict): (PDFObject | undefined)[] =>
  listed(page, 'Contents').map(stream => follow(page.context, stream))

/** The content of a page, as far as it can be decoded. */
export const contentOf = (page: PDFDict): Buffer =>
  Buffer.concat(
    contentStreams(page).flatMap(stream => [dataOf(stream) ?? Buffer.alloc(0), Buffer.from('\n')]),
  )
