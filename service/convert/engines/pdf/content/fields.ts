/** Text on a page that is not in its content: form values, free-text notes and comments. */

import { type Handle, pdfium, readUtf16 } from '../pdfium/library.ts'
import { mapped, type View } from './geometry.ts'
import type { PdfFont, TextItem } from './types.ts'

/** Annotation types (fpdf_annot.h) whose text is read with the page. */
const FREE_TEXT = 3
const STAMP = 13
const WIDGET = 20
const WRITTEN = new Set([FREE_TEXT, STAMP, WIDGET])
/** Files that are attached to a place. */
const FILE = 17
/** Notes, marked text, carets and files, which say something in a window of their own. */
const COMMENTS = new Set([1, 9, 10, 11, 12, 14, FILE])

/** Flattens for display on a screen (fpdf_flatten.h). */
const NORMAL_DISPLAY = 0

const ANNOTATION_LIMIT = 10_000

/** Flags of annotations that are not shown: hidden, and not for the screen (ISO 32000-1, 12.5.3). */
const INVISIBLE = 2 | 32

/** Text that stands for an annotation, in the page's own coordinates. */
export interface WrittenText {
  left: number
  top: number
  right: number
  bottom: number
  text: string
}

/**
 * What form fields, notes and comments say.
 * @returns `written`: undefined if the page has no fields and notes; otherwise the states of check boxes and radio buttons, since PDFium
 * draws all others
 */
export function readFields(page: Handle): { written?: WrittenText[]; comments: WrittenText[] } {
  const library = pdfium()
  const count = Math.min(library.annotationCount(page), ANNOTATION_LIMIT)
  const found: WrittenText[] = []
  const comments: WrittenText[] = []
  let hasAny = false
  for (let index = 0; index < count; index++) {
    const annotation = library.annotation(page, index)
    if (!annotation) continue
    const kind = library.annotationKind(annotation)
    const isComment = COMMENTS.has(kind)
    if (WRITTEN.has(kind) || isComment) {
      hasAny ||= !isComment
      const written = (library.annotationFlags(annotation) & INVISIBLE) === 0 && readField(annotation, kind)
      if (written) (isComment ? comments : found).push(written)
    }
    library.closeAnnotation(annotation)
  }
  return { ...(hasAny && { written: found }), comments }
}

/** The name of an attached file. */
export const attachmentName = (attachment: Handle): string =>
  readUtf16((out, bytes) => pdfium().attachmentName(attachment, out, bytes))
    .replace(/\p{Cc}/gu, ' ')
    .trim()

function readField(annotation: Handle, kind: number): WrittenText | undefined {
  const library = pdfium()
  const box = new Float32Array(4)
  if (!library.annotationBox(annotation, box)) return undefined
  const [left, top, right, bottom] = box as unknown as [number, number, number, number]
  const edges = { left, top, right, bottom }
  const entry = (key: string) =>
    readUtf16((out, bytes) => library.annotationText(annotation, key, out, bytes))
  if (kind === WIDGET) {
    const state = entry('AS')
    return state ? { ...edges, text: state === 'Off' ? '☐' : '☒' } : undefined
  }
  if (!COMMENTS.has(kind)) return undefined
  const text = entry('Contents').trim()
  const author = entry('T').trim()
  const file = kind === FILE && attachmentName(library.attachmentAt(annotation))
  const said = file ? `📎 ${[file, text].filter(Boolean).join(': ')}` : text
  return said ? { ...edges, text: author ? `${author}: ${said}` : said } : undefined
}

/** Adds such texts to the words of a page, in place of what is drawn in its boxes; they are as large as the text beside them. */
export function withWritten(
  text: readonly TextItem[],
  written: readonly WrittenText[],
  view: View,
): TextItem[] {
  const items = [...text]
  for (const { left, top, right, bottom, text: own } of written) {
    const box = mapped(view.matrix, left, bottom, right, top)
    const middle = box.y + box.height / 2
    const isWithin = (item: TextItem) =>
      Math.abs(item.x + item.width / 2 - box.x - box.width / 2) < box.width / 2 &&
      Math.abs(item.y + item.height / 2 - middle) < box.height / 2 &&
      item.width <= box.width
    const others = items.filter(item => !isWithin(item))
    const beside = others
      .filter(item => middle > item.y && middle < item.y + item.height)
      .sort((one, other) => Math.abs(one.x - box.x) - Math.abs(other.x - box.x))[0]
    const letter = beside ?? { size: box.height, baseline: box.y + box.height * 0.8 }
    items.splice(0, items.length, ...others, itemOf(own, box.x, letter.baseline, box.width, letter.size))
  }
  return items
}

const FONT: PdfFont = { name: 'Helvetica', bold: false, italic: false, monospace: false }

/** Text that is no part of the content. */
export const itemOf = (
  text: string,
  x: number,
  baseline: number,
  width: number,
  size: number,
  font = FONT,
): TextItem => ({
  text,
  x,
  y: baseline - size * 0.8,
  width,
  height: size,
  baseline,
  size,
  font,
  colour: 0,
  joined: false,
  hidden: false,
  content: -1,
  artefact: false,
})

/**
 * Flattens form values and notes into the page content, in memory. The page has to be loaded again and then has no
 * annotations, so links must be read first.
 */
export function flattenFields(page: Handle): void {
  pdfium().flatten(page, NORMAL_DISPLAY)
}
