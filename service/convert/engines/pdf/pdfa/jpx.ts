import type { PDFRawStream } from '@cantoo/pdf-lib'
import { filtersOf, numberEntry } from './objects.ts'

/** Whether a JPEG 2000 picture is permitted in part 2 (6.2.8.3): 1, 3 or 4 colours in one known space. */
export function isPlainJpx(image: PDFRawStream): boolean {
  if (filtersOf(image.dict).length !== 1) return false
  const data = Buffer.from(image.contents)
  let at = 0
  let components = 0
  let spaces = 0
  let ok = true
  // Boxes of ISO/IEC 15444-1, Annex I.
  const boxes = (end: number) => {
    while (at + 8 <= end) {
      const length = data.readUInt32BE(at)
      const type = data.toString('latin1', at + 4, at + 8)
      const next = length === 0 ? end : at + length
      if (length === 1 || next <= at || next > data.length) return
      const body = at + 8
      if (type === 'jp2h') {
        at = body
        boxes(next)
      } else if (type === 'ihdr') {
        components = data.readUInt16BE(body + 8)
        if (data[body + 10] === 255) ok = false
      } else if (type === 'colr') {
        spaces++
        const method = data[body]
        const known = method === 1 && [12, 16, 17, 18].includes(data.readUInt32BE(body + 3))
        if (!known && method !== 2) ok = false
      }
      at = next
    }
  }
  boxes(data.length)
  return ok && spaces === 1 && [1, 3, 4].includes(components) && numberEntry(image.dict, 'SMaskInData') !== 2
}
