/** Writes a document as a Word document. */
import type { Given } from '../../format.ts'
import type { Document } from '../../model.ts'
import { bookOf } from '../epub.ts'
import { writeWord } from './word.ts'

/** Headings, lists, notes and formulas are Word's own. */
export async function writeDocument(document: Document, given: Given): Promise<Uint8Array> {
  const { bytes } = await writeWord(bookOf(document, given, true), {
    page: 'a4',
    contents: false,
    linksFiles: true,
    fonts: async () => [],
  })
  return bytes
}
