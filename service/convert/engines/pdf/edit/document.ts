/** Reads and writes documents of pdf-lib as they are. */
import { PDFDocument } from '@cantoo/pdf-lib'

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
