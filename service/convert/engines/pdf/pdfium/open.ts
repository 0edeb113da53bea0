import { readFileSync, statSync } from 'node:fs'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { opened as withoutEncryption } from '../qpdf/index.ts'
import { type Handle, pdfium } from './library.ts'
import { repairPdf } from './pdf-repair.ts'

interface Opened {
  document: Handle
  pageCount: number
  /** The repaired file, of a damaged one, the prepared one, or the one without its encryption. */
  bytes?: Buffer
  isRepaired: boolean
  /** Whether the file has a password or restrictions. */
  isProtected: boolean
}

/** Meanings of FPDF_GetLastError. */
const ERROR_PASSWORD = 4
const ERROR_SECURITY = 5

/** Largest file that is repaired or freed from its encryption, since that takes it into memory. */
const REPAIR_BYTES = 384 * 2 ** 20
/** Pages of which one has to be readable. */
const TRIED_PAGES = 50

/**
 * Loads a file. PDFium tries no empty password of the owner, which qpdf does: such a file is taken without its encryption.
 * @returns `document`: 0 for a damaged one; `bytes` have to be kept until it is closed
 * @throws JobFailure encrypted_input without the right password
 */
export async function loadDocument(
  path: string,
  password: string | undefined,
): Promise<{ document: Handle; bytes?: Buffer }> {
  const library = pdfium()
  const document = library.load(path, password || null)
  const error = document ? 0 : library.lastError()
  if (error !== ERROR_PASSWORD && error !== ERROR_SECURITY) return { document }
  if (password || statSync(path).size > REPAIR_BYTES) throw failureOf(error, password)
  try {
    const free = await withoutEncryption(readFileSync(path), undefined, { unpacked: false })
    const bytes = Buffer.from(free.buffer)
    return { document: library.loadBytes(bytes, bytes.length, null), bytes }
  } catch {
    throw failureOf(error, password)
  }
}

/**
 * Opens a PDF file. Of one that is cut off or has lost its structure, the pages that are left are found.
 * @param prepared a copy of it, without encryption, to be taken in its place
 * @throws JobFailure encrypted_input without the right password, corrupt_input, engine_missing
 */
export async function openDocument(
  path: string,
  password: string | undefined,
  prepared?: { bytes?: Buffer; isProtected: boolean },
): Promise<Opened> {
  const library = pdfium()
  const bytesBefore = prepared?.bytes
  const copy = bytesBefore && library.loadBytes(bytesBefore, bytesBefore.length, null)
  const taken = copy ? readable(copy) : undefined
  if (taken && prepared)
    return { ...taken, bytes: bytesBefore!, isRepaired: false, isProtected: prepared.isProtected }
  const { document: whole, bytes: free } = await loadDocument(path, password)
  const opened = whole ? readable(whole) : undefined
  if (opened && free) return { ...opened, bytes: free, isRepaired: false, isProtected: true }
  if (opened) return { ...opened, isRepaired: false }
  const bytes = statSync(path).size <= REPAIR_BYTES ? await repairPdf(readFileSync(path)) : undefined
  if (!bytes) throw new JobFailure('jobs.corrupt_input', whole ? message('pdf.no_pages') : undefined)
  const repaired = library.loadBytes(bytes, bytes.length, password || null)
  if (!repaired) throw failureOf(library.lastError(), password)
  const found = readable(repaired)
  if (!found) throw new JobFailure('jobs.corrupt_input', message('pdf.no_pages'))
  return { ...found, bytes, isRepaired: true }
}

/** The document, if a page of it can be read; it is closed otherwise. */
function readable(document: Handle): Omit<Opened, 'bytes' | 'isRepaired'> | undefined {
  const library = pdfium()
  const pageCount = library.pageCount(document)
  const size = new Float32Array(2)
  for (let index = 0; index < Math.min(pageCount, TRIED_PAGES); index++)
    if (library.pageSize(document, index, size))
      return { document, pageCount, isProtected: library.protection(document) >= 0 }
  library.closeDocument(document)
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
