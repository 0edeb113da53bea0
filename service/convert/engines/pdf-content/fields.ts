/** Text on a page that is not in its content: form values and free-text notes. */
import { type Handle, pdfium } from './library.ts'

/** Annotation types (fpdf_annot.h) whose text is read with the page. */
const FREE_TEXT = 3
const STAMP = 13
const WIDGET = 20
const WRITTEN = new Set([FREE_TEXT, STAMP, WIDGET])

/** Flattens for display on a screen (fpdf_flatten.h). */
const NORMAL_DISPLAY = 0

const ANNOTATION_LIMIT = 10_000

/** Whether the page has such annotations. */
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
 * Flattens form values and notes into the page content, in memory. The page has to be loaded again and then has no
 * annotations, so links must be read first.
 */
export function takeInFields(page: Handle): void {
  pdfium().flatten(page, NORMAL_DISPLAY)
}
