import { type Handle, pdfium, readUtf16 } from './library.ts'

/** Whether a page object is marked as no part of the document's own content; ISO 32000-1, 14.8.2.2. */
export function isArtefact(object: Handle): boolean {
  const library = pdfium()
  const count = Math.min(library.markCount(object), 8)
  for (let index = 0; index < count; index++) {
    const mark = library.mark(object, index)
    const needed = new Uint32Array(2)
    const name = readUtf16((out, bytes) => {
      library.markName(mark, out, bytes, needed)
      return needed[0]!
    })
    if (name === 'Artifact') return true
  }
  return false
}
