/** Rebuilds a PDF from pictures of its pages, so that nothing of the file itself is left in it. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PDFDocument } from '@cantoo/pdf-lib'
import type { Task } from '../../../catalogue/task.ts'
import type { Rectangle } from '../../../engines/common/rectangle.ts'
import { writeDocument } from '../../../engines/pdf/edit/index.ts'
import { emptyDocument, replaceByImage, saveConforming, TextLayer } from '../../../engines/pdf/pdfa/index.ts'
import { openPdf, type PdfDocument } from '../../../engines/pdf/pdfium/document.ts'
import { release } from '../../../engines/pictures/pixels.ts'
import { sharp } from '../../../engines/pictures/sharp/load.ts'
import { chosenPages, warnOfSource } from './chosen-pages.ts'
import { rasterOf } from './pages.ts'
import { layText } from './shown-text.ts'

/** Resolution of pages that are replaced by pictures. */
const PICTURE_DPI = 200
const PICTURE_QUALITY = 88
/** Size of a page that cannot be read, in points. */
const LETTER = { width: 612, height: 792 }

interface Rebuilding {
  password?: string | undefined
  /** The part of PDF/A that the result conforms to; none if absent. */
  standard?: '2b' | '3b' | undefined
  /** Numbers, from 0, of the pages that are needed; the others stay empty. */
  pages?: readonly number[] | undefined
}

/**
 * Draws every page into a picture, and puts the text of the page behind it as plain letters, so that it can be searched and copied. A
 * page that cannot be read becomes a blank one.
 * @param path a PDF in or outside of the task's folder
 * @returns path of the new file, in the task's folder
 * @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_many_pages, engine_missing
 */
export async function rebuilt(
  task: Task,
  path: string,
  { password, standard, pages }: Rebuilding = {},
): Promise<string> {
  using pdf = await openPdf(path, password)
  const all = chosenPages(pdf.pageCount, 'all')
  warnOfSource(task, pdf, pages ?? all)
  const document = await blankDocument(pdf)
  const layer = new TextLayer(document)
  for (const index of new Set(pages ?? all)) {
    task.progress(index / all.length, 'converting')
    await showPicture(document, layer, pdf, index)
  }
  const result = join(task.folder, 'rebuilt.pdf')
  await writeFile(result, await (standard ? saveConforming(document, standard) : writeDocument(document)))
  return result
}

/** A document of empty pages as large as those of another one. */
export const blankDocument = (pdf: PdfDocument): Promise<PDFDocument> =>
  emptyDocument(Array.from({ length: pdf.pageCount }, (_, index) => pdf.pageSize(index) ?? LETTER))

/** Replaces a page by a picture of that page in another document, with its text behind. */
export async function showPicture(
  document: PDFDocument,
  layer: TextLayer,
  pdf: PdfDocument,
  index: number,
): Promise<void> {
  const page = document.getPage(index)
  await replaceByImage(document, page, await pagePicture(pdf, index))
  layText(layer, page, pdf, index)
}

/**
 * A page as a JPEG; a blank one if it cannot be read.
 * @param black areas to paint over, in points of the page as displayed, from its lower left corner
 */
export async function pagePicture(
  pdf: PdfDocument,
  index: number,
  black: readonly Rectangle[] = [],
): Promise<Buffer> {
  const size = pdf.pageSize(index)
  const drawn = size && pdf.render(index, rasterOf(size, PICTURE_DPI))
  if (!drawn)
    return sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
      .jpeg()
      .toBuffer()
  const { data, width, height } = drawn
  for (const area of black) {
    const [across, up] = [width / size.width, height / size.height]
    const from = Math.max(0, Math.floor(area.x * across) - 1)
    const to = Math.min(width, Math.ceil((area.x + area.width) * across) + 1)
    const top = Math.max(0, Math.floor(height - (area.y + area.height) * up) - 1)
    const bottom = Math.min(height, Math.ceil(height - area.y * up) + 1)
    for (let y = top; y < bottom; y++)
      data.fill(0, (y * width + from) * 3, (y * width + Math.max(from, to)) * 3)
  }
  try {
    return await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: PICTURE_QUALITY })
      .toBuffer()
  } finally {
    release(drawn)
  }
}

/** A task whose input is rebuilt first, if that was asked for; the second half of the progress is left to the rest. */
export async function ofRebuilt<TaskOptions extends { rebuild: boolean; password?: string | undefined }>(
  task: Task<TaskOptions>,
  pages?: readonly number[],
): Promise<Task<TaskOptions>> {
  const { input, options } = task
  if (!options.rebuild) return task
  const part = (from: number): Pick<Task, 'progress'> => ({
    progress: (fraction, phase) => task.progress(from + fraction / 2, phase),
  })
  const isProtectedAgain = 'newPassword' in options && Boolean(options.newPassword)
  const warn: Task['warn'] = warning => {
    if (!isProtectedAgain || warning.key !== 'pdf.protection_not_kept') task.warn(warning)
  }
  const path = await rebuilt({ ...task, ...part(0), warn }, input.path, { password: options.password, pages })
  const { length: bytes } = await readFile(path)
  return {
    ...task,
    ...part(0.5),
    input: { ...input, path, bytes },
    options: { ...options, password: undefined },
  }
}
