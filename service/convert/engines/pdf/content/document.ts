import { PDFString } from '@cantoo/pdf-lib'
import { type Handle, pdfium, propertyOf, readUtf16 } from '../pdfium/library.ts'
import { openDocument } from '../pdfium/open.ts'
import { preparedFile } from '../prepare/index.ts'
import { attachmentName } from './fields.ts'
import { readOutline } from './outline.ts'
import { openPage, type PdfPage } from './page.ts'
import type { OutlineEntry, PdfProperties, WrongFonts } from './types.ts'

/** An open PDF file; nothing from it may be used after disposal. */
export interface PdfDocument extends Disposable {
  pageCount: number
  /** Whether the file is so damaged that PDFium had to search for its pages. */
  isRepaired: boolean
  /** Whether the file has a password or restrictions. */
  isProtected: boolean
  /** Scripts of letters in form fields and comments that no font here has. */
  lacking: readonly string[]
  properties: PdfProperties
  /** Bookmarks in document order, nested ones after their parent. */
  outline: OutlineEntry[]
  /** Whether the file is marked as tagged. */
  tagged: boolean
  /** Names of the files that are attached to the document as a whole. */
  attachments: string[]
  /**
   * Opens a page; null if it is too damaged. Letters that the file names wrongly are read by what their fonts say, if they say it.
   * Dispose of it before opening the next one.
   */
  page(index: number): Promise<PdfPage | null>
}

/** More are not named. */
const ATTACHMENT_LIMIT = 100
/** How often the whole file is prepared, as it is opened and for letters that turn out to be wrong. */
const PREPARATIONS = 2

/**
 * Opens a PDF file. If it is truncated or has lost its structure, the remaining pages are recovered.
 * @throws JobFailure encrypted_input without the right password, corrupt_input, engine_missing
 */
export async function openPdf(path: string, password?: string): Promise<PdfDocument> {
  const library = pdfium()
  const prepared = await preparedFile(path, password, 'reading')
  const { pageCount, isRepaired, isProtected, ...opened } = await openDocument(path, password, prepared)
  let { document, bytes } = opened
  const wrong: WrongFonts = new Map()
  const unreadable = new Set<string>()
  let tries = prepared?.bytes ? 1 : 0

  /** Opens the file again with other names for letters. @returns whether there are any */
  async function mended(fonts: WrongFonts): Promise<boolean> {
    // Letters without text were looked for in all fonts, the first time.
    const isNew = [...fonts].some(
      ([name, problem]) => wrong.get(name) !== problem && (wrong.size === 0 || problem === 'gibberish'),
    )
    if (tries === PREPARATIONS || !isNew) return false
    tries++
    for (const [name, problem] of fonts) wrong.set(name, problem)
    const renamed = await preparedFile(path, password, 'reading', wrong)
    if (!renamed?.bytes) return false
    const { document: copy, bytes: kept } = await openDocument(path, password, renamed)
    library.closeDocument(document)
    document = copy
    bytes = kept
    return true
  }

  return {
    pageCount,
    properties: propertiesOf(document),
    outline: readOutline(document),
    tagged: library.isTagged(document) !== 0,
    attachments: Array.from(
      { length: Math.min(library.attachmentCount(document), ATTACHMENT_LIMIT) },
      (_, index) => attachmentName(library.attachment(document, index)),
    ),
    async page(index) {
      let page = openPage(document, index)
      if (page && page.content.wrong.size > 0 && (await mended(page.content.wrong))) {
        page[Symbol.dispose]()
        page = openPage(document, index)
      }
      for (const [name, problem] of page?.content.wrong ?? [])
        if (problem === 'gibberish') unreadable.add(name)
      // A page may have too few letters in a font to tell.
      for (const name of unreadable) page?.content.wrong.set(name, 'gibberish')
      return page
    },
    isRepaired,
    isProtected,
    lacking: prepared?.lacking ?? [],
    [Symbol.dispose]() {
      library.closeDocument(document)
      // PDFium reads the bytes until here; without this last use they could be garbage-collected earlier.
      bytes?.fill(0, 0, 1)
    },
  }
}

function propertiesOf(document: Handle): PdfProperties {
  const text = (tag: string) => propertyOf(document, tag)
  const language = readUtf16((out, bytes) => pdfium().language(document, out, bytes)).trim()
  return {
    title: text('Title'),
    author: text('Author'),
    subject: text('Subject'),
    keywords: text('Keywords'),
    created: dateOf(text('CreationDate')),
    language: /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(language) ? language : '',
  }
}

/** Parses a date such as `D:20240229120000+01'00'` (ISO 32000-1, 7.9.4); undefined if it is not a date. */
function dateOf(text: string): Date | undefined {
  try {
    return PDFString.of(text.replace(/^(?=\d)/, 'D:')).decodeDate()
  } catch {
    return undefined
  }
}
