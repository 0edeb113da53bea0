/** Makes a PDF smaller, and selects, rotates, numbers, stamps, splits, protects and unlocks its pages. */
import { writeFileSync } from 'node:fs'
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
  hasUnpacked,
  mergeDuplicates,
  PageSource,
  type PictureQuality,
  readDocument,
  removeSignatures,
  shrinkPictures,
  takePages,
  writeDocument,
} from '../../../engines/pdf/edit/index.ts'
import { openPdf, type PdfDocument } from '../../../engines/pdf/pdfium/document.ts'
import { isRestricted, packed } from '../../../engines/pdf/qpdf/index.ts'
import { pageFilter } from '../../images/write/page-list.ts'
import { documentFrom, documentOf, readable, UNPACKED_BYTES } from './opened.ts'
import { ofRebuilt } from './rebuilt.ts'
import type { PdfToolOptions } from './tool-options.ts'
import { largestWithin, type PagesOfResult, partsByBookmark, partsOf } from './tool-parts.ts'
import { LEVELS, withinSize } from './tool-size.ts'
import { fileSteps, type Opened, resultSteps, runSteps } from './tool-steps.ts'

const SIGNATURES = message('pdf.signatures_left_out')
const DAMAGED = message('pdf.damaged_part')

const ALL = { printing: true, copying: true, changing: true }

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
  /** Without protection, for pictures with the data of its streams unpacked, and with what is done to it as a whole. */
  opened: (forPictures: boolean) => Promise<Uint8Array>
  /** The pages of each result, once they are known. */
  parts?: PagesOfResult[]
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
      once(forPictures ? 'unpacked' : 'opened', async () => {
        const bytes = await readable(pdf, file, options.password, forPictures)
        if (!fileSteps.some(step => step.isWanted(options))) return bytes
        const document = await documentOf(pdf, bytes)
        return writeDocument(await runSteps(fileSteps, openedAs(task, document), options))
      }),
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
  source.parts ??= await partsOf(pdf, options)
  const chosen = source.parts
  const bytes = await source.opened(level !== undefined)
  const pages = chosen[0]?.pages ?? []
  const isWhole = pages.length === pdf.pageCount && pages.every((page, index) => page === index)
  const isOne = chosen.length === 1 && options.split !== 'bookmarks' && options.split !== 'size'
  const isPlain = isOne && isWhole && ![...fileSteps, ...resultSteps].some(step => step.isWanted(options))
  if (pdf.isProtected && !protects(options)) task.warn(message('pdf.protection_left_out'))
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
    // Of a thousand small files, threads that write them would cost more than the writing.
    writeFileSync(path, await (isSplit ? written(task, own) : pack(task, await writeDocument(own))))
    outputs.push(options.split === 'none' ? { path } : { path, name: `${input.stem}-${part.name}.pdf` })
  }
  return outputs
}

/** Those of a file whose pages become pictures, which have none. */
async function bookmarksBefore({ input, options }: Task<PdfToolOptions>): Promise<Bookmark[] | undefined> {
  if (options.split !== 'bookmarks') return undefined
  return bookmarksOf(await documentFrom(input.path, options.password))
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
  return (await partsOf(pdf, options)).flatMap(({ pages }) => pages)
}

/** The file in as few bytes as possible; if its pages had to be searched for or qpdf cannot read it, as PDFium reads it. */
async function repacked(task: Task<PdfToolOptions>, pdf: PdfDocument, file: Buffer): Promise<Uint8Array> {
  const { password, newPassword, allow } = task.options
  if (!pdf.isRepaired) {
    try {
      return await packed(file, { password, newPassword, allow, onDamage: () => task.warn(DAMAGED) })
    } catch {
      // PDFium reads more than qpdf does.
    }
  }
  return pack(task, pdf.rewritten())
}

/** A document of these pages, with what is done to each result. */
async function arranged(
  task: Task<PdfToolOptions>,
  source: PageSource,
  pages: readonly number[],
): Promise<PDFDocument> {
  const document = await takePages(source, pages)
  return runSteps(resultSteps, openedAs(task, document, pages, source.pages.length), task.options)
}

/** @param numbers those of its pages in the file, from 0 */
function openedAs(task: Task, document: PDFDocument, numbers?: readonly number[], count?: number): Opened {
  const chosen = (list: string) => {
    const pages = opened.document.getPages()
    const isChosen = pageFilter(list, count ?? pages.length)
    return pages.filter((_, index) => isChosen(numbers?.[index] ?? index))
  }
  const opened = { document, chosen, task }
  return opened
}

/** The document with its streams packed, so that files made of parts of it need not pack each again. Most files have no other ones. */
async function packedDocument(task: Task<PdfToolOptions>, document: PDFDocument): Promise<PDFDocument> {
  if (!hasUnpacked(document)) return document
  const open = { ...task, options: { ...task.options, newPassword: undefined, allow: ALL } }
  return readDocument(await pack(open, await writeDocument(document)))
}

const protects = ({ newPassword, allow }: PdfToolOptions) => Boolean(newPassword) || isRestricted(allow)

/** As many objects take about a millisecond to pack into streams, which saves a tenth of a page of text. */
const FEW = 30

/** A file of a part of a packed document. What was drawn onto sheets leaves objects that nothing needs. */
const written = async (task: Task<PdfToolOptions>, part: PDFDocument): Promise<Uint8Array> =>
  protects(task.options) || task.options.layout !== 'one'
    ? pack(task, await writeDocument(part))
    : writeDocument(part, { useObjectStreams: part.context.enumerateIndirectObjects().length > FEW })

async function pack({ options, warn }: Task<PdfToolOptions>, bytes: Uint8Array): Promise<Uint8Array> {
  try {
    const { newPassword, allow } = options
    return await packed(bytes, { newPassword, allow, onDamage: () => warn(DAMAGED) })
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
  const isUnchanged = !task.options.rebuild && !protects(task.options) && !isRepaired && !isProtected
  const isKept = isUnchanged && result.length >= file.length
  if (isKept) task.warn(message('same.kept'))
  else if (hadSignatures) task.warn(SIGNATURES)
  const path = join(task.folder, 'output.pdf')
  await writeFile(path, isKept ? file : result)
  return { path }
}
