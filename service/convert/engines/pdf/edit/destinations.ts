/** Where bookmarks and links lead (ISO 32000-1, 12.3.2 and 12.3.3). */
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFString,
} from '@cantoo/pdf-lib'
import {
  allDicts,
  bookmarksBelow,
  dictEntry,
  entry,
  follow,
  name,
  nameEntry,
  textOf,
} from '../pdfa/objects.ts'
import { namesIn } from './trees.ts'

/** Finds the place that a name means; undefined for anything that is no name, or has no place. */
export function namedPlaces(document: PDFDocument): (value: PDFObject | undefined) => PDFObject | undefined {
  const { catalog, context } = document
  const places = new Map<string, PDFObject>(namesIn(dictEntry(catalog, 'Names', 'Dests')))
  for (const [key, value] of dictEntry(catalog, 'Dests')?.entries() ?? []) places.set(key.decodeText(), value)
  return value => {
    const given = follow(context, value)
    if (!(given instanceof PDFName || given instanceof PDFString || given instanceof PDFHexString))
      return undefined
    const place = follow(context, places.get(given.decodeText()))
    return place instanceof PDFDict ? entry(place, 'D') : place
  }
}

/** Has bookmarks and links lead to pages, instead of names and numbers that mean others in another document. */
export function resolvePlaces(document: PDFDocument): void {
  const placeOf = namedPlaces(document)
  const pages = document.getPages()
  for (const { dict } of allDicts(document))
    for (const key of ['Dest', 'D']) {
      if (key === 'D' && nameEntry(dict, 'S') !== 'GoTo') continue
      const given = entry(dict, key)
      const place = placeOf(given) ?? given
      if (!(place instanceof PDFArray) || place.size() === 0) continue
      const page = place.get(0)
      const ref = page instanceof PDFNumber ? pages[page.asNumber()]?.ref : undefined
      if (ref) place.set(0, ref)
      dict.set(name(key), place)
    }
}

export interface Bookmark {
  title: string
  /** From 0. */
  page: number
}

/** The bookmarks of the highest level that lead to a page, in the order of their pages. */
export function bookmarksOf(document: PDFDocument): Bookmark[] {
  resolvePlaces(document)
  const pages = new Map(document.getPages().map(({ ref }, index) => [ref as PDFObject, index]))
  const found: Bookmark[] = []
  for (const item of bookmarksBelow(dictEntry(document.catalog, 'Outlines'))) {
    const place = entry(item, 'Dest') ?? entry(item, 'A', 'D')
    const page = place instanceof PDFArray && place.size() > 0 ? pages.get(place.get(0)) : undefined
    if (page !== undefined) found.push({ title: textOf(entry(item, 'Title')), page })
  }
  return found.toSorted((one, other) => one.page - other.page)
}
