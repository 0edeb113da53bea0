/** Shows a part of pages only (ISO 32000-1, 14.11.2). */
import type { PDFPage } from '@cantoo/pdf-lib'
import { apply } from '../../common/matrix.ts'
import { numberEntry, remove } from '../pdfa/objects.ts'
import { shownMatrix } from '../pdfa/page-picture.ts'

const POINTS_PER_MM = 72 / 25.4
/** Least edge of a page in points. */
const LEAST = 3

/** Millimetres of the page as displayed: what goes at each edge, or from the upper left corner on what stays. */
export interface Crop {
  left: number
  top: number
  right: number
  bottom: number
  width?: number | undefined
  height?: number | undefined
}

/** Returns whether all pages have something left; the others stay as they are. */
export function cropPages(
  pages: Iterable<PDFPage>,
  { left, top, right, bottom, width, height }: Crop,
): boolean {
  let isWhole = true
  for (const page of pages) {
    const shown = shownMatrix(page)
    const unit = POINTS_PER_MM / (numberEntry(page.node, 'UserUnit') ?? 1)
    const across = unit / Math.hypot(shown[0], shown[1])
    const up = unit / Math.hypot(shown[2], shown[3])
    const from = left * across
    const to = Math.min(1, width === undefined ? 1 - right * across : from + width * across)
    const over = 1 - top * up
    const under = Math.max(0, height === undefined ? bottom * up : over - height * up)
    const [x1, y1] = apply(shown, from, under)
    const [x2, y2] = apply(shown, to, over)
    const [wide, high] = [Math.abs(x2 - x1), Math.abs(y2 - y1)]
    if (to <= from || over <= under || wide < LEAST || high < LEAST) {
      isWhole = false
      continue
    }
    remove(page.node, 'BleedBox', 'TrimBox', 'ArtBox')
    page.setCropBox(Math.min(x1, x2), Math.min(y1, y2), wide, high)
  }
  return isWhole
}
