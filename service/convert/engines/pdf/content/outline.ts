import { type Handle, pdfium, readUtf16 } from '../pdfium/library.ts'
import type { OutlineEntry } from './types.ts'

const ENTRY_LIMIT = 20_000
const LEVEL_LIMIT = 32

/** Bookmarks of a document in order. In a broken file they may form cycles, so none is read twice. */
export function readOutline(document: Handle): OutlineEntry[] {
  const library = pdfium()
  const entries: OutlineEntry[] = []
  const seen = new Set<Handle>()
  const visit = (parent: Handle, level: number) => {
    let bookmark = library.firstBookmark(document, parent)
    while (bookmark && !seen.has(bookmark) && entries.length < ENTRY_LIMIT) {
      seen.add(bookmark)
      const current = bookmark
      const title = readUtf16((out, bytes) => library.bookmarkTitle(current, out, bytes))
      entries.push({
        title: title.replace(/\s+/g, ' ').trim(),
        level,
        page: pageOf(document, library.bookmarkDestination(document, bookmark)),
      })
      if (level < LEVEL_LIMIT) visit(bookmark, level + 1)
      bookmark = library.nextBookmark(document, bookmark)
    }
  }
  visit(0, 1)
  return entries
}

/** Index of the page of a destination; -1 if there is none. */
export const pageOf = (document: Handle, destination: Handle): number =>
  destination ? pdfium().destinationPage(document, destination) : -1
