/** Pages of one document laid over or under those of another, such as a letterhead, a logo or a signature. */
import type { PDFDocument, PDFPage } from '@cantoo/pdf-lib'
import { name } from '../pdfa/objects.ts'
import { flattened } from './flatten.ts'
import { formOf, paintingOf } from './impose.ts'
import { asArtifact, drawOver, numbers, placeWithin, type StampPlace, uprightOf } from './stamp.ts'

export interface Overlay {
  layer: 'over' | 'under'
  place: Exclude<StampPlace, 'diagonal'>
  /** Of the width and height of the page that it may take, as a percentage. */
  size: number
  /** 0 to 1. */
  opacity: number
}

/** Lays the first page of `laid` on the first of these pages, and so on; its last one on all that follow. */
export async function overlayPages(
  document: PDFDocument,
  pages: Iterable<PDFPage>,
  laid: PDFDocument,
  { layer, place, size, opacity }: Overlay,
): Promise<void> {
  const { context } = document
  const own = await flattened(laid)
  const copies = await document.copyPages(own, own.getPageIndices())
  // Its opacity holds of it as a whole.
  const group = context.obj({ Type: 'Group', S: 'Transparency' })
  for (const { node } of copies) if (opacity < 1 && !node.has(name('Group'))) node.set(name('Group'), group)
  const forms = copies.map(formOf)
  let at = 0
  for (const page of pages) {
    const index = Math.min(at++, copies.length - 1)
    const [copy, form] = [copies[index]!, forms[index]!]
    const { upright, width, height } = uprightOf(page)
    const whole = uprightOf(copy)
    const scale = (size / 100) * Math.min(width / whole.width, height / whole.height)
    const box = { width: whole.width * scale, height: whole.height * scale }
    const { x, y } = placeWithin(place, { width, height }, box)
    const painting = paintingOf(copy, page, form, [box.width, 0, 0, box.height, x, y])
    const look = context.obj({ Type: 'ExtGState', ca: opacity, CA: opacity })
    const state = page.node.newExtGState('RefileStamp', look)
    const drawn = `q ${numbers(upright)} cm ${state} gs ${painting} Q`
    drawOver(page, asArtifact(drawn), layer === 'under')
  }
  for (const { ref } of copies) context.delete(ref)
}
