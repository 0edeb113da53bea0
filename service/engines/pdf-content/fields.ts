/** What stands on a page without being in its content: values of forms, and notes that were typed onto it. */
import { type Handle, pdfium } from './library.ts'

/** Kinds of annotations (fpdf_annot.h) whose text is read with the page. */
const FREE_TEXT = 3
const STAMP = 13
const WIDGET = 20
const WRITTEN = new Set([FREE_TEXT, STAMP, WIDGET])

/** As on a screen (fpdf_flatten.h). */
const NORMAL_DISPLAY = 0

const ANNOTATION_LIMIT = 10_000

/** Whether anything was written into fields of the page or onto it. */
export function hasFields(page: Handle): boolean {
  const library = pdfium()
  const count = Math.min(library.annotationCount(page), ANNOTATION_LIMIT)
  for (let index = 0; index < count; index++) {
    const annotation = library.annotation(page, index)
    if (!annotation) continue
    const kind = library.annotationKind(annotation)
    library.closeAnnotation(annotation)
    if (WRITTEN.has(kind)) return true
  }
  return false
}

/**
 * Makes what was written into fields and onto the page a part of its content, in memory. The page has to be loaded again, and
 * has no annotations then: links are read before.
 */
export function takeInFields(page: Handle): void {
  pdfium().flatten(page, NORMAL_DISPLAY)
}
