/** Converts an Office file to a PDF. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Task } from '../../../catalogue/task.ts'
import { type OfficeKind, readOfficeDocument } from '../../../engines/office/document.ts'
import { convertDocument } from '../../../engines/office/engine.ts'
import { chooseFonts } from '../../../engines/office/fonts.ts'
import { openPdf } from '../../../engines/pdfium/document.ts'
import { release } from '../../../engines/pixels.ts'

/** Properties of LibreOffice's PDF export: https://wiki.documentfoundation.org/API/Tutorials/PDF_export */
export type PdfFilter = Record<string, boolean | number | string>

/** The kind of document in the files of each source. */
const kinds = new Map<string, OfficeKind>([
  ['xlsx', 'sheet'],
  ['pptx', 'slides'],
])

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
  task: Task<{ password?: string | undefined }>,
  filter: PdfFilter,
): Promise<string> {
  task.progress(0, 'preparing')
  const { password } = task.options
  const document = await readOfficeDocument(task.input.path, { folder: task.folder, password })
  if (document.kind !== (kinds.get(task.source) ?? 'text'))
    throw new JobFailure('jobs.corrupt_input', message('office.other_kind', { found: document.kind }))
  if (document.lostChunks > 0) task.warn(message('word.chunks_lost', { count: document.lostChunks }))
  const { damagedPictures } = document
  if (damagedPictures > 0) task.warn(message('office.pictures_damaged', { count: damagedPictures }))
  const fonts = await chooseFonts(document.needs)
  task.progress(0.1, 'converting')
  const answer = await convertDocument(
    { document: document.bytes, suffix: document.suffix, filter: filterJson(filter) },
    fonts,
  )
  if ('problem' in answer) throw failureOf(answer, filter)
  const path = join(task.folder, 'output.pdf')
  await writeFile(path, answer.pdf)
  await check(path, answer.pdf, document.hasContent)
  return path
}

function failureOf(
  { step, problem }: { step: 'load' | 'save'; problem: string },
  filter: PdfFilter,
): JobFailure {
  const cause = new Error(problem)
  if (step === 'load') return new JobFailure('jobs.corrupt_input', message('office.not_loaded'), { cause })
  const reason = message(filter.PageRange ? 'office.no_page_chosen' : 'office.nothing_to_print')
  return new JobFailure('jobs.unsupported_input', reason, { cause })
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
