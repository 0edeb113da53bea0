/** From an Office file to a PDF, in memory. */
import type { Task } from '../../../catalogue/task.ts'
import { type OfficeKind, readOfficeDocument } from '../../../engines/office/document.ts'
import { convertDocument } from '../../../engines/office/engine.ts'
import { chooseFonts } from '../../../engines/office/fonts.ts'
import { JobFailure } from '../../../errors.ts'
import { message } from '../../../messages/message.ts'

/** Properties of LibreOffice's PDF export: https://wiki.documentfoundation.org/API/Tutorials/PDF_export */
export type PdfFilter = Record<string, boolean | number | string>

/** What the files of a source hold. */
const kinds = new Map<string, OfficeKind>([
  ['xlsx', 'sheet'],
  ['pptx', 'slides'],
])

/** LibreOffice reads the properties as JSON with the type of each. */
function filterJson(filter: PdfFilter): string {
  const typed = Object.entries(filter).map(([name, value]) => [
    name,
    { type: typeof value === 'number' ? 'long' : typeof value, value: String(value) },
  ])
  return JSON.stringify(Object.fromEntries(typed))
}

/**
 * Converts the task's document.
 * @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large, engine_crashed, engine_missing
 */
export async function officePdf(
  task: Task<{ password?: string | undefined }>,
  filter: PdfFilter,
): Promise<Uint8Array> {
  task.progress(0, 'preparing')
  const { password } = task.options
  const document = await readOfficeDocument(task.input.path, { folder: task.folder, password })
  if (document.kind !== (kinds.get(task.source) ?? 'text'))
    throw new JobFailure('jobs.corrupt_input', message('office.other_kind', { found: document.kind }))
  const { files, missing } = await chooseFonts(document.needs)
  if (missing.includes('hangul')) task.warn(message('office.no_korean_font'))
  task.progress(0.1, 'converting')
  const answer = await convertDocument(
    { document: document.bytes, suffix: document.suffix, filter: filterJson(filter) },
    files,
  )
  if ('pdf' in answer) return checked(answer.pdf)
  const cause = new Error(answer.problem)
  if (answer.step === 'load')
    throw new JobFailure('jobs.corrupt_input', message('office.not_loaded'), { cause })
  throw new JobFailure('jobs.unsupported_input', message('office.nothing_to_print'), { cause })
}

/** A PDF with pages; LibreOffice also calls a file without any a success. */
function checked(pdf: Uint8Array): Uint8Array {
  const text = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  if (text.toString('latin1', 0, 5) === '%PDF-' && text.includes('/Type/Page/')) return pdf
  throw new JobFailure('jobs.unsupported_input', message('office.nothing_to_print'))
}
