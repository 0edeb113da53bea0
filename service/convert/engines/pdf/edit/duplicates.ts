import { createHash } from 'node:crypto'
import { PDFArray, PDFDict, type PDFDocument, type PDFObject, PDFRawStream, PDFRef } from '@cantoo/pdf-lib'

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
  const other = (value: PDFObject) => (value instanceof PDFRef ? replaced.get(value) : undefined)
  const visit = (object: PDFObject) => {
    const dict = object instanceof PDFRawStream ? object.dict : object
    if (dict instanceof PDFDict) {
      for (const [key, value] of dict.entries()) {
        const merged = other(value)
        if (merged) dict.set(key, merged)
        else visit(value)
      }
    } else if (dict instanceof PDFArray) {
      for (const [index, value] of dict.asArray().entries()) {
        const merged = other(value)
        if (merged) dict.set(index, merged)
        else visit(value)
      }
    }
  }
  for (const [, object] of context.enumerateIndirectObjects()) visit(object)
  for (const ref of replaced.keys()) context.delete(ref)
}
