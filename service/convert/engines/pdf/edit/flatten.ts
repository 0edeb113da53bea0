/** Draws fields and comments into the content of their pages, where nobody can change them. */
import type { PDFDocument } from '@cantoo/pdf-lib'
import { annotationsOf, dictEntry, name } from '../pdfa/objects.ts'
import { drawAnnotations } from '../prepare/annotations.ts'
import { drawFields } from '../prepare/appearances.ts'
import { withoutAnnotations } from '../qpdf/index.ts'
import { readDocument, writeDocument } from './document.ts'

/** The document with its fields and comments as part of its pages; links stay. */
export async function flattened(document: PDFDocument): Promise<PDFDocument> {
  await drawFields(document)
  await drawAnnotations(document)
  // What is on a hidden layer stays hidden.
  for (const { node } of document.getPages())
    for (const annotation of annotationsOf(node)) {
      const [layer, appearance] = [annotation.get(name('OC')), dictEntry(annotation, 'AP')]
      if (layer && appearance) dictEntry(appearance, 'N')?.set(name('OC'), layer)
    }
  return readDocument(await withoutAnnotations(await writeDocument(document)))
}
