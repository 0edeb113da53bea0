/** Makes a PDF smaller, and selects, rotates, numbers, splits, protects and unlocks its pages. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PDFDocument } from '@cantoo/pdf-lib'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import {
  arrangePages,
  bookmarksOf,
  mergeDuplicates,
  numberPages,
  type PictureQuality,
  readDocument,
  removeSignatures,
  rotatePages,
  shrinkPictures,
  writeDocument,
} from '../../../engines/pdf-edit/index.ts'
import { openPdf, type PdfDocument } from '../../../engines/pdfium/document.ts'
import { opened, packed } from '../../../engines/qpdf/index.ts'
import { pageFilter } from '../../images/write/settings.ts'
import { ofRebuilt } from './rebuilt.ts'
import type { PdfToolOptions } from './tool-options.ts'
import { partsByBookmark, partsOf } from './tool-parts.ts'

const QUALITIES: Record<'best' | 'balanced' | 'small', PictureQuality> = {
  best: { dpi: 300, quality: 88 },
  balanced: { dpi: 150, quality: 75 },
  small: { dpi: 100, quality: 55 },
}

const ANGLES = { none: 0, right: 90, half: 180, left: 270 }

const SIGNATURES = message('pdf.signatures_left_out')

/** Largest file whose streams are unpacked into memory, to reach its pictures. */
const UNPACKED_BYTES = 100_000_000

/** @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_many_pages, too_large, engine_missing */
export async function convert(given: Task<PdfToolOptions>): Promise<Output[]> {
  given.progress(0, 'preparing')
  const task = given.options.rebuild ? await ofRebuilt(given, await pagesOfResults(given)) : given
  const { options, input } = task
  const file = await readFile(input.path)
  using pdf = await openPdf(input.path, options.password, { fields: false })
  if (pdf.isRepaired) task.warn(message('pdf.repaired', { pages: pdf.pageCount }))
  const chosen = partsOf(pdf.pageCount, options)
  const bytes = await readable(pdf, file, options)
  const pages = chosen[0]?.pages ?? []
  const isWhole = pages.length === pdf.pageCount && pages.every((page, index) => page === index)
  const isOne = chosen.length === 1 && options.split !== 'bookmarks'
  const isPlain = isOne && isWhole && options.rotate === 'none' && options.pageNumbers === 'none'
  if (isEncrypted(file) && !options.newPassword) task.warn(message('pdf.protection_left_out'))
  task.progress(0.1, 'converting')
  const isSigned = Buffer.from(bytes).includes('/ByteRange')
  // Without changes qpdf keeps what the other way may pack less well.
  const lossless =
    isPlain && !isSigned ? await readable(pdf, file, { ...options, compression: 'none' }) : undefined
  const results = lossless ? [await pack(lossless, options.newPassword)] : []
  if (lossless && options.compression === 'none') return [await smallest(task, file, results, pdf)]
  const document = await documentOf(pdf, bytes)
  const hadSignatures = removeSignatures(document)
  if (options.compression !== 'none') {
    mergeDuplicates(document)
    await shrinkPictures(document, QUALITIES[options.compression], share => task.progress(0.1 + 0.5 * share))
  }
  if (isPlain) {
    results.push(await pack(await writeDocument(document), options.newPassword))
    return [await smallest(task, file, results, pdf, hadSignatures)]
  }
  if (hadSignatures) task.warn(SIGNATURES)
  const parts = options.split === 'bookmarks' ? partsByBookmark(pages, bookmarksOf(document)) : chosen
  const whole = parts.length > 1 ? await writeDocument(document) : undefined
  const outputs: Output[] = []
  for (const [index, part] of parts.entries()) {
    task.progress(0.6 + (0.4 * index) / parts.length, 'converting')
    const own = whole ? await readDocument(whole) : document
    await arrange(own, part.pages, options)
    const path = join(task.folder, `output-${index}.pdf`)
    await writeFile(path, await pack(await writeDocument(own), options.newPassword))
    outputs.push(options.split === 'none' ? { path } : { path, name: `${input.stem}-${part.name}.pdf` })
  }
  return outputs
}

async function pagesOfResults({ input, options }: Task<PdfToolOptions>): Promise<number[]> {
  using pdf = await openPdf(input.path, options.password, { fields: false })
  return partsOf(pdf.pageCount, options).flatMap(({ pages }) => pages)
}

/** The file without protection; if its pages had to be searched for or qpdf cannot read it, as PDFium reads it. */
async function readable(
  pdf: PdfDocument,
  file: Buffer,
  { password, compression }: PdfToolOptions,
): Promise<Uint8Array> {
  const unpacked = compression !== 'none' && file.length <= UNPACKED_BYTES
  const source = pdf.isRepaired ? pdf.rewritten() : file
  try {
    return await opened(source, pdf.isRepaired ? undefined : password, { unpacked })
  } catch {
    return pdf.isRepaired ? source : pdf.rewritten()
  }
}

/** @throws JobFailure corrupt_input if its objects cannot be read */
async function documentOf(pdf: PdfDocument, bytes: Uint8Array): Promise<PDFDocument> {
  for (const read of [() => bytes, () => pdf.rewritten()]) {
    try {
      const document = await readDocument(read())
      if (document.getPageCount() === pdf.pageCount) return document
    } catch {
      // PDFium reads more than pdf-lib does.
    }
  }
  throw new JobFailure('jobs.corrupt_input')
}

/** Whether it has a password or restrictions; the trailer, which says so, is never packed or is in a stream with plain entries. */
const isEncrypted = (file: Buffer): boolean => file.includes('/Encrypt')

async function arrange(
  document: PDFDocument,
  pages: readonly number[],
  { rotate, rotatePages: list, pageNumbers }: PdfToolOptions,
): Promise<void> {
  const arranged = arrangePages(document, pages)
  const isTurned = list === 'all' ? () => true : pageFilter(list)
  if (rotate !== 'none')
    rotatePages(
      arranged.filter((_, index) => isTurned(pages[index]!)),
      ANGLES[rotate],
    )
  if (pageNumbers !== 'none') await numberPages(document, arranged, pageNumbers)
}

async function pack(bytes: Uint8Array, password: string | undefined): Promise<Uint8Array> {
  try {
    return await packed(bytes, password || undefined)
  } catch (cause) {
    throw new JobFailure(bytes.length > UNPACKED_BYTES ? 'jobs.too_large' : 'jobs.corrupt_input', undefined, {
      cause,
    })
  }
}

/** The smallest result, or the file itself if nothing but its size was to change and that did not become less. */
async function smallest(
  task: Task<PdfToolOptions>,
  file: Buffer,
  results: readonly Uint8Array[],
  { isRepaired }: PdfDocument,
  hadSignatures = false,
): Promise<Output> {
  const result = results.reduce((best, next) => (next.length < best.length ? next : best))
  const isUnchanged = !task.options.rebuild && !task.options.newPassword && !isRepaired && !isEncrypted(file)
  const isKept = isUnchanged && result.length >= file.length
  if (isKept) task.warn(message('same.kept'))
  else if (hadSignatures) task.warn(SIGNATURES)
  const path = join(task.folder, 'output.pdf')
  await writeFile(path, isKept ? file : result)
  return { path }
}
