/** Makes a PDF smaller, and selects, rotates, numbers, stamps, splits, protects and unlocks its pages. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PDFDocument } from '@cantoo/pdf-lib'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { warningOnce } from '../../../catalogue/warn-once.ts'
import type { Bookmark } from '../../../engines/pdf/edit/destinations.ts'
import {
  bookmarksOf,
  dropPrivateData,
  dropUnusedGlyphs,
  mergeDuplicates,
  numberPages,
  PageSource,
  type PictureQuality,
  readDocument,
  removeSignatures,
  rotatePages,
  shrinkPictures,
  stampPages,
  writeDocument,
} from '../../../engines/pdf/edit/index.ts'
import { openPdf, type PdfDocument } from '../../../engines/pdf/pdfium/document.ts'
import { opened, packed } from '../../../engines/pdf/qpdf/index.ts'
import { pageFilter } from '../../images/write/page-list.ts'
import { ofRebuilt } from './rebuilt.ts'
import type { PdfToolOptions } from './tool-options.ts'
import { largestWithin, partsByBookmark, partsOf } from './tool-parts.ts'
import { LEVELS, withinSize } from './tool-size.ts'

const ANGLES = { none: 0, right: 90, half: 180, left: 270 }

const SIGNATURES = message('pdf.signatures_left_out')
const DAMAGED = message('pdf.damaged_part')

/** Largest file whose streams are unpacked into memory, to reach its pictures. */
const UNPACKED_BYTES = 100_000_000

/** @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_many_pages, too_large, engine_missing */
export async function convert(given: Task<PdfToolOptions>): Promise<Output[]> {
  given.progress(0, 'preparing')
  const bookmarks = given.options.rebuild ? await bookmarksBefore(given) : undefined
  // Several parts may lose the same.
  const once = warningOnce(given)
  const task = given.options.rebuild ? await ofRebuilt(once, await pagesOfResults(once)) : once
  const { targetSize, split, compression } = task.options
  using source = await openSource(task)
  if (source.pdf.isRepaired) task.warn(message('pdf.repaired', { pages: source.pdf.pageCount }))
  const level = LEVELS[compression]
  if (targetSize === undefined || split !== 'none') return await converted(task, source, level, bookmarks)
  return await withinSize(task, level, targetSize * 1000, (own, each) =>
    converted(own, source, each, bookmarks),
  )
}

/** A file, and what is made of it once though several levels of quality may be tried. */
interface Source extends Disposable {
  file: Buffer
  pdf: PdfDocument
  /** Without protection, and for pictures with the data of its streams unpacked. */
  opened: (forPictures: boolean) => Promise<Uint8Array>
  /** As it becomes without any change. */
  lossless: () => Promise<Uint8Array>
}

/** @throws JobFailure as `openPdf` */
async function openSource(task: Task<PdfToolOptions>): Promise<Source> {
  const { input, options } = task
  const file = await readFile(input.path)
  const pdf = await openPdf(input.path, options.password, { fields: false })
  const made = new Map<string, Promise<Uint8Array>>()
  const once = (name: string, make: () => Promise<Uint8Array>) => {
    const bytes = made.get(name) ?? make()
    made.set(name, bytes)
    return bytes
  }
  return {
    file,
    pdf,
    opened: forPictures =>
      once(forPictures ? 'unpacked' : 'opened', () => readable(pdf, file, options, forPictures)),
    lossless: () => once('lossless', () => repacked(task, pdf, file)),
    [Symbol.dispose]: () => pdf[Symbol.dispose](),
  }
}

/**
 * @param level quality of the pictures; without one, they stay as they are
 * @param bookmarks those to split by; by default the document's
 */
async function converted(
  task: Task<PdfToolOptions>,
  source: Source,
  level: PictureQuality | undefined,
  bookmarks: Bookmark[] | undefined,
): Promise<Output[]> {
  const { options, input } = task
  const { file, pdf } = source
  const chosen = partsOf(pdf.pageCount, options)
  const bytes = await source.opened(level !== undefined)
  const pages = chosen[0]?.pages ?? []
  const isWhole = pages.length === pdf.pageCount && pages.every((page, index) => page === index)
  const isOne = chosen.length === 1 && options.split !== 'bookmarks' && options.split !== 'size'
  const isBare = options.pageNumbers === 'none' && !options.stamp.text
  const isPlain = isOne && isWhole && options.rotate === 'none' && isBare
  if (pdf.isProtected && !options.newPassword) task.warn(message('pdf.protection_left_out'))
  task.progress(0.1, 'converting')
  const isSigned = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('/ByteRange')
  // Without changes qpdf keeps what the other way may pack less well.
  const results = isPlain && !isSigned ? [await source.lossless()] : []
  if (results.length > 0 && !level) return [await smallest(task, file, results, pdf)]
  const document = await documentOf(pdf, bytes)
  const hadSignatures = removeSignatures(document)
  if (level) {
    mergeDuplicates(document)
    dropUnusedGlyphs(document)
    dropPrivateData(document)
    await shrinkPictures(document, level, share => task.progress(0.1 + 0.5 * share))
  }
  if (isPlain) {
    results.push(await pack(task, await writeDocument(document)))
    return [await smallest(task, file, results, pdf, hadSignatures)]
  }
  if (hadSignatures) task.warn(SIGNATURES)
  if (options.split === 'size') return partsBySize(task, pages, document, bytes.length)
  const parts =
    options.split === 'bookmarks' ? partsByBookmark(pages, bookmarks ?? bookmarksOf(document)) : chosen
  // Of several files, streams are packed once for all.
  const isSplit = parts.length > 1
  const whole = new PageSource(isSplit ? await packedDocument(task, document) : document)
  const outputs: Output[] = []
  for (const [index, part] of parts.entries()) {
    task.progress(0.6 + (0.4 * index) / parts.length, 'converting')
    const own = await arranged(task, whole, part.pages)
    const path = join(task.folder, `output-${index}.pdf`)
    await writeFile(path, await (isSplit ? written(task, own) : pack(task, await writeDocument(own))))
    outputs.push(options.split === 'none' ? { path } : { path, name: `${input.stem}-${part.name}.pdf` })
  }
  return outputs
}

/** Those of a file whose pages become pictures, which have none. */
async function bookmarksBefore({ input, options }: Task<PdfToolOptions>): Promise<Bookmark[] | undefined> {
  if (options.split !== 'bookmarks') return undefined
  using pdf = await openPdf(input.path, options.password, { fields: false })
  const bytes = await readable(pdf, await readFile(input.path), options, false)
  return bookmarksOf(await documentOf(pdf, bytes))
}

/**
 * Files of at most a size each, with as many pages as fit.
 * @param document as it is before its pages are chosen
 */
async function partsBySize(
  task: Task<PdfToolOptions>,
  pages: readonly number[],
  document: PDFDocument,
  bytesBefore: number,
): Promise<Output[]> {
  const { options, input, folder } = task
  const limit = options.partSize * 1e6
  const whole = new PageSource(await packedDocument(task, document))
  const outputs: Output[] = []
  const large: number[] = []
  let bytesPerPage = bytesBefore / whole.pages.length
  for (let from = 0; from < pages.length; ) {
    const left = pages.length - from
    const { bytes, count } = await largestWithin(limit, left, bytesPerPage, async each =>
      written(task, await arranged(task, whole, pages.slice(from, from + each))),
    )
    if (bytes.length > limit) large.push(pages[from]! + 1)
    bytesPerPage = bytes.length / count
    const path = join(folder, `output-${outputs.length}.pdf`)
    await writeFile(path, bytes)
    from += count
    outputs.push({ path, name: `${input.stem}-${outputs.length + 1}.pdf` })
    task.progress(0.6 + (0.4 * from) / pages.length, 'converting')
  }
  if (large.length > 0)
    task.warn(
      message('pdf.pages_over_size', { pages: large.join(', ').slice(0, 100), megabytes: options.partSize }),
    )
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
  { password }: PdfToolOptions,
  forPictures: boolean,
): Promise<Uint8Array> {
  const unpacked = forPictures && file.length <= UNPACKED_BYTES
  const source = pdf.isRepaired ? pdf.rewritten() : file
  try {
    return await opened(source, pdf.isRepaired ? undefined : password, { unpacked })
  } catch {
    return pdf.isRepaired ? source : pdf.rewritten()
  }
}

/** The file in as few bytes as possible; if its pages had to be searched for or qpdf cannot read it, as PDFium reads it. */
async function repacked(task: Task<PdfToolOptions>, pdf: PdfDocument, file: Buffer): Promise<Uint8Array> {
  const { password, newPassword } = task.options
  if (!pdf.isRepaired) {
    try {
      return await packed(file, { password, newPassword, onDamage: () => task.warn(DAMAGED) })
    } catch {
      // PDFium reads more than qpdf does.
    }
  }
  return pack(task, pdf.rewritten())
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

/** A document of these pages, turned, numbered and stamped as wanted. */
async function arranged(
  { options, warn }: Task<PdfToolOptions>,
  source: PageSource,
  pages: readonly number[],
): Promise<PDFDocument> {
  const { rotate, rotatePages: list, pageNumbers, stamp } = options
  const document = await source.take(pages)
  const taken = document.getPages()
  const chosenBy = (chosen: string) => {
    const isChosen = pageFilter(chosen, source.pages.length)
    return taken.filter((_, index) => isChosen(pages[index]!))
  }
  if (rotate !== 'none') rotatePages(chosenBy(list), ANGLES[rotate])
  if (pageNumbers !== 'none') await numberPages(document, taken, pageNumbers)
  if (!stamp.text) return document
  const { text } = stamp
  const whole = await stampPages(document, chosenBy(stamp.pages), {
    ...stamp,
    text,
    opacity: stamp.opacity / 100,
  })
  if (!whole) warn(message('pdf.stamp_letters_left_out'))
  return document
}

/** The document with its streams packed, so that files made of parts of it need not pack each again. */
async function packedDocument(task: Task<PdfToolOptions>, document: PDFDocument): Promise<PDFDocument> {
  const open = { ...task, options: { ...task.options, newPassword: undefined } }
  return readDocument(await pack(open, await writeDocument(document)))
}

/** A file of a part of a packed document. */
const written = async (task: Task<PdfToolOptions>, part: PDFDocument): Promise<Uint8Array> =>
  task.options.newPassword
    ? pack(task, await writeDocument(part))
    : writeDocument(part, { useObjectStreams: true })

async function pack({ options, warn }: Task<PdfToolOptions>, bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await packed(bytes, { newPassword: options.newPassword, onDamage: () => warn(DAMAGED) })
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
  { isRepaired, isProtected }: PdfDocument,
  hadSignatures = false,
): Promise<Output> {
  const result = results.reduce((best, next) => (next.length < best.length ? next : best))
  const isUnchanged = !task.options.rebuild && !task.options.newPassword && !isRepaired && !isProtected
  const isKept = isUnchanged && result.length >= file.length
  if (isKept) task.warn(message('same.kept'))
  else if (hadSignatures) task.warn(SIGNATURES)
  const path = join(task.folder, 'output.pdf')
  await writeFile(path, isKept ? file : result)
  return { path }
}
