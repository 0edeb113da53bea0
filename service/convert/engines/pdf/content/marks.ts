import { PDFHexString } from '@cantoo/pdf-lib'
import { type Handle, pdfium, readBytes, readUtf16 } from '../pdfium/library.ts'
import { HIDDEN_MARK } from '../prepare/mark-hidden.ts'
import type { ReplacedText } from './types.ts'

/** What marked content says about an object of a page; ISO 32000-1, 14.6. */
export interface Marks {
  /** Whether it is not part of the document's real content (14.8.2.2). */
  artefact: boolean
  /** Whether it is on a hidden layer. */
  hidden: boolean
  /** Its replacement text (14.9.4); objects that share one text share this object. */
  replaced?: ReplacedText
}

/** Replacement texts of a page, by mark. */
export type PageMarks = Map<Handle, ReplacedText | undefined>

const MARK_LIMIT = 16

/** @param texts replacement texts found on the page so far, by mark */
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
    // The outermost replacement text applies to everything within it.
    const replaced = marks.replaced ?? texts.get(mark)
    if (replaced) marks.replaced = replaced
  }
  return marks
}

function replacedText(mark: Handle): ReplacedText | undefined {
  const library = pdfium()
  if (library.markValueType(mark, ACTUAL_TEXT) !== STRING) return undefined
  const bytes = readBytes((out, count) => {
    const needed = new Uint32Array(2)
    library.markBytes(mark, ACTUAL_TEXT, out, count, needed)
    return needed[0]!
  })
  return { text: textOf(bytes) }
}

/** Decodes a text string, without the language codes it may contain; ISO 32000-1, 7.9.2.2. */
const textOf = (bytes: Buffer) => PDFHexString.of(bytes.toString('hex')).decodeText().replace(LANGUAGES, '')

const LANGUAGES = /\p{Cc}[A-Za-z]{2}([A-Za-z]{2})?\p{Cc}/gu
const ACTUAL_TEXT = 'ActualText'
/** Object type from fpdfview.h. */
const STRING = 3
