import { HIDDEN_MARK } from '../pdf-prepare/mark-hidden.ts'
import { type Handle, pdfium, readUtf16 } from './library.ts'

/** What the marked content says that an object of a page belongs to; ISO 32000-1, 14.6. */
export interface Marks {
  /** Whether it is no part of the document's own content (14.8.2.2). */
  artefact: boolean
  /** Whether it is on a layer that is switched off. */
  hidden: boolean
}

const MARK_LIMIT = 16

export function readMarks(object: Handle): Marks {
  const library = pdfium()
  const marks: Marks = { artefact: false, hidden: false }
  const count = Math.min(library.markCount(object), MARK_LIMIT)
  for (let index = 0; index < count; index++) {
    const mark = library.mark(object, index)
    const needed = new Uint32Array(2)
    const name = readUtf16((out, bytes) => {
      library.markName(mark, out, bytes, needed)
      return needed[0]!
    })
    if (name === 'Artifact') marks.artefact = true
    else if (name === HIDDEN_MARK) marks.hidden = true
  }
  return marks
}
