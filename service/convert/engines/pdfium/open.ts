/** Opens a PDF file, whichever functions of PDFium are used for reading it. */
import { readFileSync, statSync } from 'node:fs'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { repairPdf } from '../formats/pdf-repair.ts'

/** Functions of fpdfview.h, with handles as the caller has them. */
export interface Opener<Handle> {
  load(path: string, password: string | null): Handle
  /** The bytes have to stay as long as the document is open. */
  loadBytes(bytes: Uint8Array, count: number, password: string | null): Handle
  lastError(): number
  pageCount(document: Handle): number
  /** Fills in width and height. */
  pageSize(document: Handle, index: number, size: Float32Array): number
  close(document: Handle): void
}

export interface Opened<Handle> {
  document: Handle
  pageCount: number
  /** The repaired file, of a damaged one, or the prepared one. */
  bytes?: Buffer
  isRepaired: boolean
}

/** Meanings of FPDF_GetLastError. */
const ERROR_PASSWORD = 4
const ERROR_SECURITY = 5

/** Largest file that is repaired, since that takes it into memory. */
const REPAIR_BYTES = 384 * 2 ** 20
/** Pages of which one has to be readable. */
const TRIED_PAGES = 50

/**
 * Opens a PDF file. Of one that is cut off or has lost its structure, the pages that are left are found.
 * @param prepared a copy of it, without encryption, to be taken in its place
 * @throws JobFailure encrypted_input without the right password, corrupt_input
 */
export function openDocument<Handle>(
  opener: Opener<Handle>,
  path: string,
  password: string | undefined,
  prepared?: Buffer,
): Opened<Handle> {
  const copy = prepared && opener.loadBytes(prepared, prepared.length, null)
  const taken = copy ? readable(opener, copy) : undefined
  if (taken && prepared) return { ...taken, bytes: prepared, isRepaired: false }
  const whole = opener.load(path, password || null)
  if (!whole) {
    const error = opener.lastError()
    if (error === ERROR_PASSWORD || error === ERROR_SECURITY) throw failureOf(error, password)
  }
  const opened = whole ? readable(opener, whole) : undefined
  if (opened) return { ...opened, isRepaired: false }
  const bytes = statSync(path).size <= REPAIR_BYTES ? repairPdf(readFileSync(path)) : undefined
  if (!bytes) throw new JobFailure('jobs.corrupt_input', whole ? message('pdf.no_pages') : undefined)
  const repaired = opener.loadBytes(bytes, bytes.length, password || null)
  if (!repaired) throw failureOf(opener.lastError(), password)
  const found = readable(opener, repaired)
  if (!found) throw new JobFailure('jobs.corrupt_input', message('pdf.no_pages'))
  return { ...found, bytes, isRepaired: true }
}

/** The document, if a page of it can be read; it is closed otherwise. */
function readable<Handle>(
  opener: Opener<Handle>,
  document: Handle,
): { document: Handle; pageCount: number } | undefined {
  const pageCount = opener.pageCount(document)
  const size = new Float32Array(2)
  for (let index = 0; index < Math.min(pageCount, TRIED_PAGES); index++)
    if (opener.pageSize(document, index, size)) return { document, pageCount }
  opener.close(document)
  return undefined
}

function failureOf(error: number, password: string | undefined): JobFailure {
  if (error === ERROR_PASSWORD)
    return new JobFailure(
      'jobs.encrypted_input',
      message(password ? 'pdf.wrong_password' : 'pdf.password_needed'),
    )
  if (error === ERROR_SECURITY)
    return new JobFailure('jobs.encrypted_input', message('pdf.protected_otherwise'))
  return new JobFailure('jobs.corrupt_input')
}
