/** Prepares a PDF for PDFium, which draws neither all form fields nor all comments, and does not report which layers are hidden. */
import { readFileSync, statSync } from 'node:fs'
import type { WrongFonts } from '../content/types.ts'
import { readDocument, writeDocument } from '../edit/document.ts'
import { pdfium } from '../pdfium/library.ts'
import { loadDocument } from '../pdfium/open.ts'
import { drawAnnotations } from './annotations.ts'
import { drawFields } from './appearances.ts'
import { COMMENTS, mayHave, TO_READ } from './find-layers.ts'
import { nameLetters } from './glyph-names.ts'
import { shownLayers } from './layers.ts'
import { markHidden } from './mark-hidden.ts'

/** Largest file that is loaded into memory for this. */
const LARGEST_BYTES = 128 * 2 ** 20

interface Prepared {
  /** Undefined if nothing has to be changed, or the file cannot be changed. */
  bytes?: Buffer
  /** Numbers from 0 of pages with something that cannot be drawn, such as a video. */
  missing: number[]
  /** Scripts of letters in fields and comments that no font here has. */
  lacking: string[]
  /** Whether the file itself has a password or restrictions. */
  isProtected: boolean
}

/** For whom the file is: who draws its pages needs its comments, who reads them has to skip its hidden layers and know its letters. */
type Purpose = 'rendering' | 'reading'

/**
 * The file with an appearance for each field that has a value, and for each comment or with content on hidden layers marked.
 * @param wrong fonts whose letters were found to be named wrongly
 * @throws JobFailure encrypted_input without the right password, engine_missing
 */
export async function preparedFile(
  path: string,
  password: string | undefined,
  purpose: Purpose,
  wrong?: WrongFonts,
): Promise<Prepared | undefined> {
  const large = statSync(path).size > LARGEST_BYTES
  const library = pdfium()
  const { document, bytes: free } = large ? {} : await loadDocument(path, password)
  if (!document) return undefined
  try {
    const hasForm = library.formType(document) !== 0
    const isProtected = free !== undefined || library.protection(document) >= 0
    const sign = purpose === 'rendering' ? COMMENTS : TO_READ
    if (!hasForm && !isProtected && !wrong && !mayHave(readFileSync(path), sign)) return undefined
    const bytes = free ?? library.save(document)
    const made = bytes && (await prepared(bytes, hasForm, (wrong || mayHave(bytes, sign)) && purpose, wrong))
    return { missing: [], lacking: [], ...(free && { bytes: free }), ...made, isProtected }
  } finally {
    library.closeDocument(document)
    // PDFium reads them until here.
    free?.at(0)
  }
}

async function prepared(
  bytes: Buffer,
  fields: boolean,
  purpose: Purpose | false,
  wrong?: WrongFonts,
): Promise<Partial<Prepared>> {
  if (!fields && !purpose) return {}
  try {
    const document = await readDocument(bytes)
    const shows = purpose === 'reading' ? shownLayers(document) : undefined
    const hidden = shows ? markHidden(document, shows) : false
    const named = purpose === 'reading' && nameLetters(document, wrong)
    const filled = fields ? await drawFields(document) : { drawn: false, lacking: [] }
    const { drawn, missing, lacking } = await drawAnnotations(
      document,
      purpose === 'rendering' ? undefined : 'FreeText',
    )
    const left = { missing, lacking: [...new Set([...filled.lacking, ...lacking])] }
    if (!hidden && !named && !filled.drawn && !drawn) return left
    return { bytes: Buffer.from(await writeDocument(document)), ...left }
  } catch {
    // PDFium can read files that pdf-lib cannot.
    return {}
  }
}
