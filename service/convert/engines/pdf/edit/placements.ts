/** How large the pictures of a document are shown (ISO 32000-1, 8.3 and 8.8). */

import { type PDFDict, type PDFDocument, PDFRawStream } from '@cantoo/pdf-lib'
import { identity, type Matrix, multiply } from '../../common/matrix.ts'
import type { Size } from '../../common/rectangle.ts'
import { nameIn } from '../pdfa/content.ts'
import { isMatrix, operationsWithState } from '../pdfa/graphics-state.ts'
import {
  contentOf,
  dataOf,
  dictEntry,
  entry,
  nameEntry,
  numberEntry,
  numbersEntry,
  resourcesOf,
} from '../pdfa/objects.ts'

/** Points. */
export type ShownSize = Size

/** Forms within forms that are followed, and how many are read on one page. */
const FORM_DEPTH = 12
const FORM_LIMIT = 5000

/** The largest size of each picture that pages show themselves or in their forms; others are not in the map. */
export function placements(document: PDFDocument): Map<PDFRawStream, ShownSize> {
  const found = new Map<PDFRawStream, ShownSize>()
  let forms = 0
  const read = (content: () => Buffer, resources: PDFDict | undefined, start: Matrix, depth: number) => {
    // Most pages of texts have none, and are not read for them.
    if (!dictEntry(resources, 'XObject')) return
    try {
      for (const { operator, operands, state } of operationsWithState(content(), resources, start))
        if (operator === 'Do') show(nameIn(operands[0]), resources, state.matrix, depth)
    } catch {
      // What comes after damage is not drawn.
    }
  }
  const show = (title: string | undefined, resources: PDFDict | undefined, matrix: Matrix, depth: number) => {
    const stream = entry(resources, 'XObject', title ?? '')
    if (!(stream instanceof PDFRawStream)) return
    const { dict } = stream
    if (nameEntry(dict, 'Subtype') === 'Image') {
      const [a, b, c, d] = matrix
      const before = found.get(stream)
      found.set(stream, {
        width: Math.max(before?.width ?? 0, Math.hypot(a, b)),
        height: Math.max(before?.height ?? 0, Math.hypot(c, d)),
      })
    } else if (nameEntry(dict, 'Subtype') === 'Form' && depth < FORM_DEPTH && forms++ < FORM_LIMIT) {
      const own = numbersEntry(dict, 'Matrix') ?? []
      const inner = multiply(isMatrix(own) ? own : identity, matrix)
      const content = () => dataOf(stream) ?? Buffer.alloc(0)
      read(content, dictEntry(dict, 'Resources') ?? resources, inner, depth + 1)
    }
  }
  for (const { node } of document.getPages()) {
    const scale = numberEntry(node, 'UserUnit') ?? 1
    forms = 0
    read(() => contentOf(node), resourcesOf(node), [scale, 0, 0, scale, 0, 0], 0)
  }
  return found
}
