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
import { dictEntry, dictOf, entry, follow, name, textOf } from '../pdfa/objects.ts'
import { namesIn } from './trees.ts'

/** Finds the place that a name means; undefined for anything that is no name, or has no place. */
export function namedPlaces(document: PDFDocument): (value: PDFObject | undefined) => PDFObject | undefined {
  const { catalog, context } = document
  const names = dictEntry(catalog, 'Names')
  const places = new Map<string, PDFObject>(namesIn(names && dictEntry(names, 'Dests')))
  for (const [key, value] of dictEntry(catalog, 'Dests')?.entries() ?? []) places.set(key.decodeText(), value)
  return value => {
    const given = follow(context, value)
    if (!(given instanceof PDFName || given instanceof PDFString || given instanceof PDFHexString))
      return undefined
    const place = follow(context, places.get(given.decodeText()))
    return place instanceof PDFDict ? entry(place, 'D') : place
  }
}

export interface Bookmark {
  title: string
  /** From 0. */
  page: number
}

/** The bookmarks of the highest level that lead to a page, in the order of their pages. */
export function bookmarksOf(document: PDFDocument): Bookmark[] {
  const { catalog, context } = document
  const placeOf = namedPlaces(document)
  const refs = document.getPages().map(({ ref }) => ref)
  const found: Bookmark[] = []
  const seen = new Set<PDFObject>()
  const outlines = dictEntry(catalog, 'Outlines')
  for (let next = outlines?.get(name('First')); next && !seen.has(next); ) {
    seen.add(next)
    const item = dictOf(follow(context, next))
    const action = item && dictEntry(item, 'A')
    const destination = item && (entry(item, 'Dest') ?? (action && entry(action, 'D')))
    const place = placeOf(destination) ?? destination
    const target = place instanceof PDFArray && place.size() > 0 ? place.get(0) : undefined
    const page = target instanceof PDFNumber ? target.asNumber() : refs.findIndex(ref => ref === target)
    if (item && page >= 0 && page < refs.length) found.push({ title: textOf(entry(item, 'Title')), page })
    next = item?.get(name('Next'))
  }
  return found.toSorted((one, other) => one.page - other.page)
}
