import { JobFailure } from '../../../../shared/errors.ts'
import { identity, type Matrix, multiply } from '../../common/matrix.ts'
import type { Size } from '../../common/rectangle.ts'
import type { Pixels } from '../../pictures/pixels.ts'
import { viewOf } from '../content/geometry.ts'
import { preparedFile } from '../prepare/index.ts'
import { type Letter, lettersOf } from './letters.ts'
import { type Handle, pdfium, propertyOf } from './library.ts'
import { openDocument } from './open.ts'

/** A PDF file, read page by page on demand. PDFium must not be used for anything else meanwhile. */
export interface PdfDocument extends Disposable {
  readonly pageCount: number
  /** Whether the file is so damaged that its pages had to be searched for. */
  readonly isRepaired: boolean
  /** Whether the file has a password or restrictions. */
  readonly isProtected: boolean
  /** An entry of the information dictionary, such as `Title`; empty if there is none. */
  property(tag: string): string
  /** Numbers from 0 of pages with an annotation that nothing here can draw, such as a video. */
  readonly undrawn: readonly number[]
  /** Scripts of letters in form fields and comments that no font here has. */
  readonly lacking: readonly string[]
  /** Size in points of a page as displayed: cropped and rotated. Undefined if there is no readable page. */
  pageSize(index: number): PageSize | undefined
  /**
   * Draws a page, including annotations and form fields, on white or, with `alpha`, on a transparent background.
   * @returns undefined for a page that cannot be read
   */
  render(index: number, options: RenderOptions): Pixels | undefined
  /** Number of characters in a page's text; 0 if it cannot be read. */
  countCharacters(index: number): number
  /** The letters of a page in the order of its text, with spaces and ends of lines between them, in the page's own coordinates. */
  letters(index: number): Letter[]
  /** From a page's own coordinates to points of the page as displayed, counted from its lower left corner. */
  shownMatrix(index: number): Matrix
  /** The rewritten document: repaired, and without encryption. */
  rewritten(): Buffer
}

export type PageSize = Size

interface RenderOptions {
  /** Pixels. */
  width: number
  height: number
  alpha?: boolean
}

/** Bitmap formats and flags of fpdfview.h. */
const BGR = 2
const BGRA = 4
const ANNOTATIONS = 0x01
const RED_FIRST = 0x10

/** Larger than FPDF_FORMFILLINFO (fpdf_formfill.h) in every version; all of its callbacks may be null. */
const FORM_FILL_INFO_BYTES = 512

/**
 * Opens a PDF file. If it is truncated or has lost its structure, the remaining pages are searched for.
 * @param options `fields`: whether form fields with a value and comments get an appearance if they have none
 * @throws JobFailure encrypted_input without the right password, unsupported_input for other protection, corrupt_input,
 * engine_missing
 */
export async function openPdf(
  path: string,
  password?: string,
  { fields = true }: { fields?: boolean } = {},
): Promise<PdfDocument> {
  const library = pdfium()
  const prepared = fields ? await preparedFile(path, password, 'rendering') : undefined
  const { document, pageCount, bytes, isRepaired, isProtected } = await openDocument(path, password, prepared)
  const formInfo = Buffer.alloc(FORM_FILL_INFO_BYTES)
  formInfo.writeInt32LE(1)
  const form = library.formType(document) && library.startForm(document, formInfo)

  function withPage<T>(index: number, use: (page: Handle) => T): T | undefined {
    const page = library.loadPage(document, index)
    if (!page) return undefined
    try {
      if (form) library.startFormOfPage(page, form)
      return use(page)
    } finally {
      if (form) library.endFormOfPage(page, form)
      library.closePage(page)
    }
  }

  const withText = <T>(index: number, use: (text: Handle) => T): T | undefined =>
    withPage(index, page => {
      const text = library.loadText(page)
      if (!text) return undefined
      try {
        return use(text)
      } finally {
        library.closeText(text)
      }
    })

  function pageSize(index: number): PageSize | undefined {
    const size = new Float32Array(2)
    if (!library.pageSize(document, index, size)) return undefined
    const [width = 0, height = 0] = size
    return width > 0 && height > 0 ? { width, height } : undefined
  }

  return {
    pageCount,
    isRepaired,
    isProtected,
    property: tag => propertyOf(document, tag),
    undrawn: prepared?.missing ?? [],
    lacking: prepared?.lacking ?? [],
    pageSize,
    render: (index, { width, height, alpha = false }) =>
      withPage(index, page => {
        const channels = alpha ? 4 : 3
        const data = Buffer.allocUnsafeSlow(width * height * channels)
        const bitmap = library.createBitmap(width, height, alpha ? BGRA : BGR, data, width * channels)
        if (!bitmap) return undefined
        try {
          library.fillBitmap(bitmap, 0, 0, width, height, alpha ? 0 : 0xffffffff)
          const flags = ANNOTATIONS | RED_FIRST
          library.draw(bitmap, page, 0, 0, width, height, 0, flags)
          if (form) library.drawForm(form, bitmap, page, 0, 0, width, height, 0, flags)
        } finally {
          library.destroyBitmap(bitmap)
        }
        return { data, width, height, channels }
      }),
    countCharacters: index => withText(index, text => Math.max(0, library.charCount(text))) ?? 0,
    letters: index => withText(index, lettersOf) ?? [],
    shownMatrix: index =>
      withPage(index, page => {
        const { height, matrix } = viewOf(page)
        return multiply(matrix, [1, 0, 0, -1, 0, height])
      }) ?? identity,
    rewritten() {
      const bytes = library.save(document)
      if (!bytes) throw new JobFailure('jobs.corrupt_input')
      return bytes
    },
    [Symbol.dispose]() {
      if (form) library.endForm(form)
      // PDFium reads both until here; without a last use they would be garbage-collected earlier.
      formInfo.fill(0)
      library.closeDocument(document)
      bytes?.fill(0, 0, 1)
    },
  }
}
