import { HIDDEN_MARK } from '../pdf-prepare/mark-hidden.ts'
import { type Handle, pdfium, readBytes, readUtf16 } from './library.ts'
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
  const bytes = readBytes((out, count) => {
    const needed = new Uint32Array(2)
    library.markBytes(mark, ACTUAL_TEXT, out, count, needed)
    return needed[0]!
  })
  return { text: textOf(bytes) }
}

/** A text string, without the marks of languages that it may have within; ISO 32000-1, 7.9.2.2. */
function textOf(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xfe && bytes[1] === 0xff
  const isUtf8 = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  if (!isUtf16) return isUtf8 ? bytes.toString('utf8', 3) : new TextDecoder('windows-1252').decode(bytes)
  const even = bytes.subarray(2, bytes.length & ~1)
  return Buffer.from(even).swap16().toString('utf16le').replace(LANGUAGES, '')
}

const LANGUAGES = /\p{Cc}[A-Za-z]{2}([A-Za-z]{2})?\p{Cc}/gu
const ACTUAL_TEXT = 'ActualText'
/** Of fpdfview.h. */
const STRING = 3
