/** Counts the pages of a PDF, for its price, and reads its properties, for who asks. */
import type { Measure, TaskInput } from '../../../catalogue/task.ts'
import { openPdf } from '../../../engines/pdf/pdfium/document.ts'

/** Of the information dictionary: ISO 32000-1, table 317. */
const TAGS = 'Title Author Subject Keywords Creator Producer CreationDate ModDate Trapped'.split(' ')

/** @throws JobFailure corrupt_input, encrypted_input, engine_missing */
export async function measure(input: TaskInput): Promise<Measure> {
  using pdf = await openPdf(input.path, undefined, { fields: false })
  const properties = TAGS.flatMap(tag => {
    const text = pdf.property(tag)
    return text ? [[tag, text]] : []
  })
  return {
    pages: pdf.pageCount,
    ...(properties.length > 0 && { facts: { properties: Object.fromEntries(properties) } }),
  }
}
