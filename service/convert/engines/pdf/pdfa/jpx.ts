import type { PDFRawStream } from '@cantoo/pdf-lib'
import { findBox, wholeBoxes } from '../../common/iso-boxes.ts'
import { filtersOf, numberEntry } from './objects.ts'

/** Whether a JPEG 2000 picture is permitted in part 2 (6.2.8.3): 1, 3 or 4 colours in one known space. */
export function isPlainJpx(image: PDFRawStream): boolean {
  if (filtersOf(image.dict).length !== 1) return false
  // ISO/IEC 15444-1, Annex I.
  const head = findBox(Buffer.from(image.contents), 'jp2h')
  const boxes = head ? [...wholeBoxes(head)] : []
  const size = boxes.find(({ type }) => type === 'ihdr')?.body
  const spaces = boxes.flatMap(({ type, body }) => (type === 'colr' ? body : []))
  if (!size || size.length < 14 || size[10] === 255 || spaces.length !== 1) return false
  const [space] = spaces
  const isKnown =
    space![0] === 2 ||
    (space![0] === 1 && space!.length >= 7 && [12, 16, 17, 18].includes(space!.readUInt32BE(3)))
  return isKnown && [1, 3, 4].includes(size.readUInt16BE(8)) && numberEntry(image.dict, 'SMaskInData') !== 2
}
