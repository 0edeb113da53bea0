/** Reads and writes documents of pdf-lib as they are. */
import { PDFDocument, PDFRawStream } from '@cantoo/pdf-lib'
import { filtersOf } from '../pdfa/objects.ts'

/** Bytes from which packing a stream saves any. */
const WORTH_PACKING = 200

/** @throws Error if pdf-lib cannot read it */
export const readDocument = (bytes: Uint8Array): Promise<PDFDocument> =>
  PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: false })

/** @param options `useObjectStreams`: with its objects packed into streams */
export const writeDocument = (
  document: PDFDocument,
  { useObjectStreams = false } = {},
): Promise<Uint8Array> =>
  document.save({
    useObjectStreams,
    updateFieldAppearances: false,
    addDefaultPage: false,
    objectsPerTick: Number.POSITIVE_INFINITY,
  })

/** Whether a document has data that are not packed. */
export const hasUnpacked = ({ context }: PDFDocument): boolean =>
  context
    .enumerateIndirectObjects()
    .some(
      ([, object]) =>
        object instanceof PDFRawStream &&
        object.contents.length > WORTH_PACKING &&
        filtersOf(object.dict).length === 0,
    )
