import { HIDDEN_MARK } from '../pdf-prepare/mark-hidden.ts'
import { type Handle, pdfium, readUtf16 } from './library.ts'
import type { ReplacedText } from './types.ts'

/** What the marked content says that an object of a page belongs to; ISO 32000-1, 14.6. */
export interface Marks {
  /** Whether it is no part of the document's own content (14.8.2.2). */
  artefact: boolean
  /** Whether it is on a layer that is switched off. */
  hidden: boolean
  /** What it stands for (14.9.4); one object for all that has one text together. */
  replaced?: ReplacedText
}

/** Texts of the marks of a page. */
export type PageMarks = Map<Handle, ReplacedText | undefined>

const MARK_LIMIT = 16

/** @param texts what was found on the page so far, by mark */
export function readMarks(object: Handle, texts: PageMarks): Marks {
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
    if (!texts.has(mark)) texts.set(mark, replacedText(mark))
    // The outermost text is that of all within.
    const replaced = marks.replaced ?? texts.get(mark)
    if (replaced) marks.replaced = replaced
  }
  return marks
}

function replacedText(mark: Handle): ReplacedText | undefined {
  const library = pdfium()
  if (library.markValueType(mark, ACTUAL_TEXT) !== STRING) return undefined
  const needed = new Uint32Array(2)
  const text = readUtf16((out, bytes) => {
    library.markText(mark, ACTUAL_TEXT, out, bytes, needed)
    return needed[0]!
  })
  return { text }
}

const ACTUAL_TEXT = 'ActualText'
/** Of fpdfview.h. */
const STRING = 3
