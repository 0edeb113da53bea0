/** Damaged compressed streams, which every reader would interpret differently. */
import { inflateSync } from 'node:zlib'
import { type PDFDocument, PDFInvalidObject, PDFRawStream } from '@cantoo/pdf-lib'
import { dataOf, filtersOf, nameEntry, setData } from './objects.ts'

/** Filters of ISO 32000-1, table 6. */
const FILTERS = new Set(
  `ASCIIHexDecode ASCII85Decode LZWDecode FlateDecode RunLengthDecode CCITTFaxDecode JBIG2Decode DCTDecode JPXDecode
  Crypt`.split(/\s+/),
)

/** Maximum size of a decompressed stream. */
const LIMIT_BYTES = 256 * 2 ** 20

/**
 * Rewrites damaged streams with what could be read of them; picture data are left to the renderer.
 * @returns the streams that were damaged
 */
export function mendStreams(document: PDFDocument): Set<PDFRawStream> {
  const damaged = new Set<PDFRawStream>()
  for (const [reference, object] of document.context.enumerateIndirectObjects()) {
    const isUnreadable = object instanceof PDFInvalidObject
    // Tables of a damaged file remain as streams that nothing needs.
    if (isUnreadable || (object instanceof PDFRawStream && nameEntry(object.dict, 'Type') === 'XRef')) {
      document.context.delete(reference)
      continue
    }
    if (!(object instanceof PDFRawStream)) continue
    const filters = filtersOf(object.dict)
    const isKnown = filters.every(filter => FILTERS.has(filter))
    const isImage = nameEntry(object.dict, 'Subtype') === 'Image'
    if (isKnown && (isImage || filters[0] !== 'FlateDecode' || isSound(object))) continue
    damaged.add(object)
    setData(object, dataOf(object) ?? Buffer.alloc(0))
  }
  return damaged
}

function isSound(stream: PDFRawStream): boolean {
  try {
    inflateSync(stream.contents, { maxOutputLength: LIMIT_BYTES })
    return true
  } catch {
    return false
  }
}
