/** First pages of documents. */

import { JobFailure } from '../../shared/errors.ts'
import { needsOffice } from '../catalogue/preview.ts'
import { runConverter } from '../catalogue/run.ts'
import type { TaskInput } from '../catalogue/task.ts'
import documents from '../converters/documents/index.ts'
import { converters } from '../converters/index.ts'
import { ZipArchive } from '../engines/archives/zip.ts'
import { scaledSize } from '../engines/common/rectangle.ts'
import { openPdf } from '../engines/pdf/pdfium/document.ts'
import { shownFile, shownPixels, type UprightPicture, type Wanted } from './shown.ts'

/** Formats that are converted to PDF before they are drawn. */
const laidOut = (format: string) => needsOffice(format) || format === 'md'

export const isPaged = (format: string): boolean => format === 'pdf' || format === 'pdfa' || laidOut(format)

/** @throws JobFailure */
export async function firstPage(input: TaskInput, wanted: Wanted): Promise<UprightPicture> {
  if (!laidOut(input.format)) return pageOf(input.path, 0, wanted)
  return (await ownThumbnail(input, wanted)) ?? pageOf(await asPdf(input, wanted), 0, wanted)
}

/** A page of a PDF, with the requested longest edge. @throws JobFailure */
export async function pageOf(
  path: string,
  page: number,
  { edge }: Wanted,
  password?: string,
): Promise<UprightPicture> {
  using pdf = await openPdf(path, password)
  const size = pdf.pageSize(page)
  const scale = size && edge / Math.max(size.width, size.height)
  const pixels = scale && pdf.render(page, scaledSize(size, scale))
  if (!pixels) throw new JobFailure('jobs.corrupt_input')
  return shownPixels(pixels, false)
}

async function asPdf(input: TaskInput, { folder }: Wanted): Promise<string> {
  const converter = documents.find(({ source, target }) => source === input.format && target === 'pdf')
  if (!converter) throw new JobFailure('jobs.unsupported_input')
  const options = 'pages' in converter.options ? { pages: '1' } : {}
  const [output] = await runConverter(converter, input, options, { folder, converters })
  if (!output) throw new JobFailure('jobs.corrupt_input')
  return output.path
}

/** Where Office stores a picture of the first page (ECMA-376, part 2, "Thumbnails"), and how large it may be. */
const THUMBNAIL = /^docProps\/thumbnail\.(jpe?g|png)$/i
const THUMBNAIL_BYTES = 4_000_000
const SMALL = 128

async function ownThumbnail(
  { path, format }: TaskInput,
  { edge }: Wanted,
): Promise<UprightPicture | undefined> {
  if (edge > SMALL || !/^(docx|pptx|xlsx|word|excel)$/.test(format)) return undefined
  try {
    await using archive = await ZipArchive.open(path)
    const entry = archive.entries.find(({ name }) => THUMBNAIL.test(name))
    return entry && (await shownFile(await archive.read(entry, THUMBNAIL_BYTES), false))
  } catch {
    return undefined
  }
}
