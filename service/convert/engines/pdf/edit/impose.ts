/** Puts several pages onto each sheet. */
import { PDFArray, type PDFDocument, type PDFObject, type PDFPage, type PDFRef } from '@cantoo/pdf-lib'
import { inverse, type Matrix, multiply } from '../../common/matrix.ts'
import { allDicts, contentOf, dictEntry, entry, name, remove, resourcesOf } from '../pdfa/objects.ts'
import { shownBox, shownMatrix } from '../pdfa/page-picture.ts'
import { flattened } from './flatten.ts'
import { drawOver, uprightOf } from './stamp.ts'

/** Columns and rows on an upright sheet, and whether the sheet lies on its side. */
const GRIDS = {
  '2': [2, 1, true],
  '4': [2, 2, false],
  '6': [3, 2, true],
  '9': [3, 3, false],
  '16': [4, 4, false],
  booklet: [2, 1, true],
} as const

export type Layout = keyof typeof GRIDS

/** The order in which pages are printed on both sides of sheets that are folded in the middle; -1 is an empty one. */
function folded(count: number): number[] {
  const all = Math.ceil(count / 4) * 4
  const within = (page: number) => (page < count ? page : -1)
  return Array.from({ length: all / 2 }, (_, side) => {
    const pair = [all - 1 - side, side]
    return (side % 2 ? pair.reverse() : pair).map(within)
  }).flat()
}

/**
 * Has each sheet show several pages, as large as the first page is. Bookmarks lead to the sheets; links, tags and labels of the pages
 * go, and fields and comments become part of what is drawn.
 */
export async function impose(given: PDFDocument, layout: Layout): Promise<PDFDocument> {
  const document = await flattened(given)
  const { context, catalog } = document
  const pages = document.getPages()
  const isBooklet = layout === 'booklet'
  const [across, down, isTurned] = GRIDS[layout]
  const order = isBooklet ? folded(pages.length) : pages.map((_, index) => index)
  const { width, height } = uprightOf(pages[0]!)
  const isWide = width > height
  const [columns, rows] = isTurned && isWide && !isBooklet ? [down, across] : [across, down]
  const sheet = isTurned && !(isBooklet && isWide) ? { width: height, height: width } : { width, height }
  const [wide, high] = [sheet.width / columns, sheet.height / rows]
  const places = new Map<PDFObject, PDFRef>()
  for (let index = pages.length - 1; index >= 0; index--) document.removePage(index)
  for (let from = 0; from < order.length; from += columns * rows) {
    const made = document.addPage([sheet.width, sheet.height])
    let drawn = ''
    for (const [cell, index] of order.slice(from, from + columns * rows).entries()) {
      const page = pages[index]
      if (!page) continue
      places.set(page.ref, made.ref)
      const size = uprightOf(page)
      const scale = Math.min(wide / size.width, high / size.height)
      const [x, y] = [(cell % columns) * wide, sheet.height - (Math.floor(cell / columns) + 1) * high]
      const [spareX, spareY] = [wide - size.width * scale, high - size.height * scale]
      const place = [size.width * scale, 0, 0, size.height * scale, x + spareX / 2, y + spareY / 2] as const
      drawn += `${paintingOf(page, made, formOf(page), place)}\n`
    }
    drawOver(made, drawn)
  }
  for (const { dict } of allDicts(document))
    for (const key of ['Dest', 'D']) {
      const place = entry(dict, key)
      const onto = place instanceof PDFArray && place.size() > 0 ? places.get(place.get(0)) : undefined
      if (onto) dict.set(name(key), context.obj([onto, name('Fit')]))
    }
  remove(catalog, 'StructTreeRoot', 'MarkInfo', 'Metadata', 'PageLabels', 'Dests')
  remove(dictEntry(catalog, 'Names'), 'Dests')
  for (const { ref } of pages) context.delete(ref)
  return document
}

/** The operators that paint a page, given as a form, onto another one so that it fills a place there. */
export function paintingOf(page: PDFPage, onto: PDFPage, form: PDFRef, place: Matrix): string {
  const matrix = multiply(inverse(shownMatrix(page)), place).map(value => value.toFixed(5))
  return `q ${matrix.join(' ')} cm ${onto.node.newXObject('Page', form)} Do Q`
}

/** What a page draws within its visible part, as a form. */
export function formOf(page: PDFPage): PDFRef {
  const { context } = page.doc
  const { x, y, width, height } = shownBox(page)
  const group = entry(page.node, 'Group')
  const form = context.flateStream(contentOf(page.node), {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [x, y, x + width, y + height],
    ...(group && { Group: group }),
  })
  form.dict.set(name('Resources'), resourcesOf(page.node) ?? context.obj({}))
  return context.register(form)
}
