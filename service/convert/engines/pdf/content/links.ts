import { type Handle, pdfium, readUtf8 } from '../pdfium/library.ts'
import { mapped, type View } from './geometry.ts'
import { pageOf } from './outline.ts'
import type { PdfLink, Rectangle } from './types.ts'

const LINK_LIMIT = 5000
const AREA_LIMIT = 50
const URI_ACTION = 3
/** Addresses that are kept; others, such as `javascript:` and `file:`, are dropped. */
const SAFE_ADDRESS = /^(https?|mailto|ftp|tel):/i

/** Links of a page to addresses and to pages of the same file. */
export function readLinks(document: Handle, page: Handle, view: View): PdfLink[] {
  const library = pdfium()
  const links: PdfLink[] = []
  const position = new Int32Array(1)
  const found = new BigUint64Array(1)
  while (links.length < LINK_LIMIT && library.nextLink(page, position, found)) {
    const link = found[0]!
    const areas = areasOf(link, view)
    if (areas.length === 0) continue
    const action = library.linkAction(link)
    if (action && library.actionType(action) === URI_ACTION) {
      const url = readUtf8((out, bytes) => library.actionUri(document, action, out, bytes)).trim()
      if (SAFE_ADDRESS.test(url) && url.length < 2000) links.push({ areas, url })
      continue
    }
    const destination =
      library.linkDestination(document, link) || (action ? library.actionDestination(document, action) : 0)
    const target = pageOf(document, destination)
    if (target >= 0) links.push({ areas, page: target })
  }
  return links
}

function areasOf(link: Handle, { matrix }: View): Rectangle[] {
  const library = pdfium()
  const areas: Rectangle[] = []
  const count = Math.min(library.linkQuads(link), AREA_LIMIT)
  const quad = new Float32Array(8)
  for (let index = 0; index < count; index++) {
    if (!library.linkQuad(link, index, quad)) continue
    const xs = [quad[0]!, quad[2]!, quad[4]!, quad[6]!]
    const ys = [quad[1]!, quad[3]!, quad[5]!, quad[7]!]
    areas.push(mapped(matrix, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)))
  }
  if (areas.length > 0) return areas
  const box = new Float32Array(4)
  if (!library.linkRectangle(link, box)) return []
  return [mapped(matrix, box[0]!, box[3]!, box[2]!, box[1]!)]
}
