/** Converts an Office file to a PDF. */
import { writeFile } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Task } from '../../../catalogue/task.ts'
import { accessible, type Barrier, type Facts } from '../../../engines/pdf/accessible/index.ts'
import { openPdf } from '../../../engines/pdf/pdfium/document.ts'
import { packed } from '../../../engines/pdf/qpdf/index.ts'
import { release } from '../../../engines/pictures/pixels.ts'
import { listed } from '../pdf/chosen-pages.ts'
import { officeFile } from './file.ts'
import type { SaveOptions } from './options.ts'

/** Properties of LibreOffice's PDF export: https://wiki.documentfoundation.org/API/Tutorials/PDF_export */
export type PdfFilter = Record<string, boolean | number | string>

/** Most cells of a workbook whose PDF is tagged. LibreOffice takes 2 KB of memory for the tags of each. */
const MAX_TAGGED_CELLS = 200_000

/** LibreOffice expects the properties as JSON with the type of each. */
function filterJson(filter: PdfFilter): string {
  const typed = Object.entries(filter).map(([name, value]) => [
    name,
    { type: typeof value === 'number' ? 'long' : typeof value, value: String(value) },
  ])
  return JSON.stringify(Object.fromEntries(typed))
}

/**
 * Converts the task's document.
 * @returns path of the PDF, in the task's folder
 * @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large, engine_crashed, engine_missing
 */
export async function officePdf(
  task: Task<SaveOptions & { accessible?: boolean | undefined }>,
  filter: PdfFilter,
): Promise<string> {
  let isTagged = false
  const facts: Facts = { title: task.input.stem }
  const { path, bytes, hasContent } = await officeFile(task, 'pdf', ({ cells = 0, language }) => {
    facts.language = language
    isTagged = filter.UseTaggedPDF === true && cells <= MAX_TAGGED_CELLS
    if (filter.UseTaggedPDF && !isTagged) task.warn(message('office.untagged', { limit: MAX_TAGGED_CELLS }))
    return filterJson({ ...filter, UseTaggedPDF: isTagged, PDFUACompliance: isTagged })
  })
  await check(path, bytes, hasContent)
  const { pdf, barriers } = isTagged ? await accessible(bytes, facts) : { pdf: bytes, barriers: [] }
  if (task.options.accessible) warnOfBarriers(task, barriers)
  // The tags of LibreOffice take many times the space of all else.
  await writeFile(path, await packed(pdf))
  return path
}

/** Says on which pages there is something that only the author of the document can describe. */
function warnOfBarriers({ warn }: Task<object>, barriers: readonly Barrier[]): void {
  for (const lacks of ['picture', 'formula', 'text'] as const) {
    const pages = barriers.filter(barrier => barrier.lacks === lacks).map(({ page }) => page)
    const listing = { pages: listed([...new Set(pages)]), count: pages.length }
    if (pages.length > 0) warn(message(`accessible.${lacks}`, listing))
  }
}

/** LibreOffice also reports success for a PDF without pages, or with empty pages in place of what it could not read. */
async function check(path: string, pdf: Uint8Array, hasContent: boolean): Promise<void> {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  if (!bytes.includes('/Type/Page/'))
    throw new JobFailure('jobs.unsupported_input', message('office.nothing_to_print'))
  const hasTextOrPicture = bytes.includes('/BaseFont') || bytes.includes('/Subtype/Image')
  if (hasContent && !hasTextOrPicture && (await isBlank(path)))
    throw new JobFailure('jobs.corrupt_input', message('office.empty_result'))
}

/** Edge in pixels of the pages that are checked. */
const SAMPLE_EDGE = 200

async function isBlank(path: string): Promise<boolean> {
  using pdf = await openPdf(path)
  for (let page = 0; page < pdf.pageCount; page++) {
    const drawn = pdf.render(page, { width: SAMPLE_EDGE, height: SAMPLE_EDGE })
    const isWhite = !drawn || drawn.data.every(value => value === 255)
    if (drawn) release(drawn)
    if (!isWhite) return false
  }
  return true
}
