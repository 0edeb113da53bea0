/** Prepares a PDF for PDFium, which neither draws all form fields nor reports which layers are hidden. */
import { readFileSync, statSync } from 'node:fs'
import { PDFDocument } from '@cantoo/pdf-lib'
import { pdfium } from '../pdfium/library.ts'
import { drawFields } from './appearances.ts'
import { LAYERS, mayHaveLayers } from './find-layers.ts'
import { shownLayers } from './layers.ts'
import { markHidden } from './mark-hidden.ts'

/** Largest file that is loaded into memory for this. */
const LARGEST_BYTES = 128 * 2 ** 20
/** Flag of fpdf_save.h. */
const REMOVE_SECURITY = 3

/**
 * The file with an appearance for each field that has a value and, with `layers`, with content on hidden layers marked.
 * @returns undefined if nothing has to be changed, or the file cannot be changed
 * @throws JobFailure engine_missing
 */
export async function preparedFile(
  path: string,
  password: string | undefined,
  { layers }: { layers: boolean },
): Promise<Buffer | undefined> {
  if (statSync(path).size > LARGEST_BYTES) return undefined
  const library = pdfium()
  const document = library.load(path, password || null)
  if (!document) return undefined
  try {
    const hasForm = library.formType(document) !== 0
    const isEncrypted = library.protection(document) >= 0
    if (!hasForm && !(layers && (isEncrypted || mayHaveLayers(readFileSync(path))))) return undefined
    const bytes = library.save(document, REMOVE_SECURITY)
    return bytes && prepared(bytes, { fields: hasForm, layers: layers && bytes.includes(LAYERS) })
  } finally {
    library.closeDocument(document)
  }
}

async function prepared(
  bytes: Buffer,
  { fields, layers }: { fields: boolean; layers: boolean },
): Promise<Buffer | undefined> {
  if (!fields && !layers) return undefined
  try {
    const document = await PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: false })
    const shows = layers ? shownLayers(document) : undefined
    const hidden = shows ? markHidden(document, shows) : false
    const drawn = fields ? await drawFields(document) : false
    if (!hidden && !drawn) return undefined
    return Buffer.from(
      await document.save({ useObjectStreams: false, updateFieldAppearances: false, addDefaultPage: false }),
    )
  } catch {
    // PDFium can read files that pdf-lib cannot.
    return undefined
  }
}
