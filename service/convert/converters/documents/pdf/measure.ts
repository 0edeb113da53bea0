/** Counts the pages of a PDF, for its price. */
import type { Measure, TaskInput } from '../../../catalogue/task.ts'
import { openPdf } from '../../../engines/pdf/pdfium/document.ts'

/** @throws JobFailure corrupt_input, encrypted_input, engine_missing */
export async function measure(input: TaskInput): Promise<Measure> {
  using pdf = await openPdf(input.path, undefined, { fields: false })
  return { pages: pdf.pageCount }
}
