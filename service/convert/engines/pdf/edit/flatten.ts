/** Draws fields and comments into the content of their pages, where nobody can change them (ISO 32000-1, 12.5.5). */
import { PDFArray, PDFDict, type PDFDocument, type PDFPage, PDFRef, PDFStream } from '@cantoo/pdf-lib'
import { identity, type Matrix } from '../../common/matrix.ts'
import { mapped } from '../content/geometry.ts'
import {
  allDicts,
  arrayEntry,
  dictEntry,
  dictOf,
  entry,
  follow,
  items,
  name,
  nameEntry,
  numberEntry,
  numbersEntry,
  remove,
} from '../pdfa/objects.ts'
import { drawAnnotations } from '../prepare/annotations.ts'
import { drawFields } from '../prepare/appearances.ts'
import { drawOver } from './stamp.ts'

/** Bits of the flags of an annotation (table 165): it is not to be seen. */
const UNSEEN = 2 | 32

/** Draws the form fields, the comments, or both; links stay. */
export async function flatten(document: PDFDocument, which: 'forms' | 'comments' | 'all'): Promise<void> {
  if (which !== 'comments') await drawFields(document)
  if (which !== 'forms') await drawAnnotations(document)
  const gone = new Set<PDFDict>()
  for (const page of document.getPages()) {
    const annotations = arrayEntry(page.node, 'Annots')
    if (!annotations) continue
    let drawn = ''
    const kept = annotations.asArray().filter(each => {
      const annotation = dictOf(follow(document.context, each))
      const kind = annotation && nameEntry(annotation, 'Subtype')
      if (
        !annotation ||
        kind === 'Link' ||
        (which !== 'all' && (kind === 'Widget') === (which === 'comments'))
      )
        return true
      gone.add(annotation)
      if (kind !== 'Popup' && !((numberEntry(annotation, 'F') ?? 0) & UNSEEN))
        drawn += drawnAs(page, annotation)
      return false
    })
    page.node.set(name('Annots'), document.context.obj(kept))
    if (drawn) drawOver(page, drawn)
  }
  if (which !== 'comments') remove(document.catalog, 'AcroForm')
  if (gone.size === 0) return
  // Tags would lead to what is no more.
  for (const { dict } of allDicts(document)) {
    const content = dict.has(name('S')) ? entry(dict, 'K') : undefined
    const isGone = (item: unknown) => item instanceof PDFDict && gone.has(dictEntry(item, 'Obj')!)
    if (isGone(content)) remove(dict, 'K')
    else if (content instanceof PDFArray && [...items(dict.context, content)].some(isGone))
      dict.set(
        name('K'),
        dict.context.obj(content.asArray().filter(item => !isGone(follow(dict.context, item)))),
      )
  }
}

/** How a page draws an annotation; empty if it shows nothing. */
function drawnAs(page: PDFPage, annotation: PDFDict): string {
  const appearance = dictEntry(annotation, 'AP')
  const normal = appearance && dictEntry(appearance, 'N')
  if (!appearance || !normal) return ''
  const isForm = entry(appearance, 'N') instanceof PDFStream
  const ref = isForm ? appearance.get(name('N')) : normal.get(name(nameEntry(annotation, 'AS') ?? 'Off'))
  const form = follow(page.doc.context, ref)
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersEntry(annotation, 'Rect') ?? []
  if (!(ref instanceof PDFRef) || !(form instanceof PDFStream)) return ''
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbersEntry(form.dict, 'BBox') ?? []
  const own = (numbersEntry(form.dict, 'Matrix') ?? identity) as unknown as Matrix
  const box = mapped(own, Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2))
  const [width, height] = [Math.abs(right - left) / box.width, Math.abs(top - bottom) / box.height]
  const place = [
    width,
    0,
    0,
    height,
    Math.min(left, right) - box.x * width,
    Math.min(bottom, top) - box.y * height,
  ]
  if (!place.every(Number.isFinite)) return ''
  form.dict.set(name('Type'), name('XObject'))
  form.dict.set(name('Subtype'), name('Form'))
  const layer = annotation.get(name('OC'))
  if (layer) form.dict.set(name('OC'), layer)
  return `q ${place.map(value => value.toFixed(5)).join(' ')} cm ${page.node.newXObject('Flat', ref)} Do Q\n`
}
