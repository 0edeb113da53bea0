import { createHash } from 'node:crypto'
import { PDFArray, type PDFDocument, type PDFObject, PDFRawStream, PDFRef } from '@cantoo/pdf-lib'
import { dictOf } from '../pdfa/objects.ts'

/** Replaces streams that have the same content by one of them: pictures and fonts that a program has stored for each page. */
export function mergeDuplicates(document: PDFDocument): void {
  const { context } = document
  const first = new Map<string, PDFRef>()
  const replaced = new Map<PDFRef, PDFRef>()
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream)) continue
    const hash = createHash('sha256')
      .update(object.dict.toString())
      .update('\0')
      .update(object.contents)
      .digest('hex')
    const same = first.get(hash)
    if (same) replaced.set(ref, same)
    else first.set(hash, ref)
  }
  if (replaced.size === 0) return
  const visit = (object: PDFObject) => {
    const dict = dictOf(object)
    const swap = (value: PDFObject, set: (merged: PDFRef) => void) => {
      const merged = value instanceof PDFRef && replaced.get(value)
      if (merged) set(merged)
      else visit(value)
    }
    for (const [key, value] of dict?.entries() ?? []) swap(value, merged => dict?.set(key, merged))
    if (object instanceof PDFArray)
      for (const [index, value] of object.asArray().entries())
        swap(value, merged => object.set(index, merged))
  }
  for (const [, object] of context.enumerateIndirectObjects()) visit(object)
  for (const ref of replaced.keys()) context.delete(ref)
}
