/** Values beyond the limits of ISO 19005-2, 6.1.13, except those in content, which is checked elsewhere. */
import {
  PDFArray,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFString,
} from '@cantoo/pdf-lib'
import { allDicts } from './objects.ts'

const STRING_BYTES = 32_767
const NAME_BYTES = 127
const INTEGER = 2 ** 31 - 1

/** Maximum nesting of arrays. */
const DEPTH_LIMIT = 32

/** Empties strings and removes entries that are too long, and limits integers to their range. */
export function keepWithinLimits(document: PDFDocument): void {
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (object instanceof PDFArray) inArray(object, 0)
  }
  for (const { dict } of allDicts(document)) {
    for (const [key, value] of dict.entries()) {
      const other = within(value)
      if (Buffer.byteLength(key.decodeText()) > NAME_BYTES) dict.delete(key)
      else if (other) dict.set(key, other)
      else if (value instanceof PDFArray) inArray(value, 0)
    }
  }
}

function inArray(array: PDFArray, depth: number): void {
  for (let i = 0; i < array.size() && depth < DEPTH_LIMIT; i++) {
    const value = array.get(i)
    const other = within(value)
    if (other) array.set(i, other)
    else if (value instanceof PDFArray) inArray(value, depth + 1)
  }
}

/** The replacement of a value; undefined if it can stay. */
function within(value: PDFObject): PDFObject | undefined {
  if (value instanceof PDFString || value instanceof PDFHexString) {
    const bytes = value instanceof PDFHexString ? value.sizeInBytes() / 2 : value.sizeInBytes()
    return bytes > STRING_BYTES ? PDFString.of('') : undefined
  }
  if (value instanceof PDFNumber) {
    const number = value.asNumber()
    return Number.isInteger(number) && Math.abs(number) > INTEGER
      ? PDFNumber.of(Math.sign(number) * INTEGER)
      : undefined
  }
  const isLong = value instanceof PDFName && Buffer.byteLength(value.decodeText()) > NAME_BYTES
  return isLong ? PDFName.of(value.decodeText().slice(0, NAME_BYTES / 4)) : undefined
}
