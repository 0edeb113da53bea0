/** TIFF files, of one page or many. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { readHead } from '../../../../shared/picture-signatures.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { writePdf } from '../../../engines/pdf/from-images/document.ts'
import {
  alone,
  readDirectories,
  type TiffDirectory,
} from '../../../engines/pictures/formats/tiff-directories.ts'
import { joinTiffs } from '../../../engines/pictures/formats/tiff-join.ts'
import { readTiff } from '../../../engines/pictures/magick/read.ts'
import { describeExif } from '../../../engines/pictures/metadata/exif.ts'
import type { Pixels } from '../../../engines/pictures/pixels.ts'
import { exceedsRange } from '../../../engines/pictures/sharp/float-range.ts'
import { isLab, readLabPage } from '../../../engines/pictures/sharp/lab-tiff.ts'
import { type Encoded, openPicture } from '../../../engines/pictures/sharp/picture.ts'
import { sniffKind } from '../../../engines/pictures/sharp/sniff.ts'
import type { ImageOptions } from '../options.ts'
import { DAMAGED } from '../write/damage.ts'
import { afterEdits, edited } from '../write/edits.ts'
import { pageFilter } from '../write/page-list.ts'
import { pdfPage } from '../write/pdf-page.ts'
import { type ImageSettings, imageSettings } from '../write/settings.ts'
import { encodeImage, outputPath } from '../write/still.ts'

/** Pages one file may have. */
const PAGE_LIMIT = 2000

export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  const { path } = task.input
  const kind = sniffKind(await readHead(path))
  if (!kind) throw new JobFailure('jobs.corrupt_input')
  if (kind !== 'tiff') return (await import('../raster/work.ts')).convert(task)
  const { directories, complete } = await readDirectories(path)
  const settings = imageSettings(task)
  const pages = pagesOf(directories, settings.pages)
  const reader = { pages, directories }
  const outputs: Output[] = []
  if (task.target === 'pdf') {
    const output = outputPath(task)
    await writePdf(
      output,
      eachPage(task, reader, async source =>
        pdfPage(task, await edited(task, source, settings), afterEdits(settings)),
      ),
    )
    outputs.push({ path: output })
  } else {
    const tagged =
      settings.metadata.keep === 'none' ? undefined : await readWhole(path).catch(() => undefined)
    const written = eachPage(task, reader, async (source, index, directory) => {
      const exif = tagged && exifOf(tagged, directory)
      return encodeImage(task, exif ? { ...source, exif } : source, settings, { index })
    })
    for await (const page of written) outputs.push(...page)
    if (task.target === 'tiff' && outputs.length > 1) {
      const path = join(task.folder, 'output.tiff')
      const paths = outputs.map(output => output.path)
      await joinTiffs(paths, path)
      outputs.splice(0, outputs.length, { path })
    }
  }
  if (!complete && !settings.pages) task.warn(DAMAGED)
  return outputs
}

/** Largest file that is read into memory, in bytes; larger ones are left to libvips, which reads them in pieces. */
const WHOLE_BYTES_LIMIT = 1_000_000_000

async function readWhole(path: string): Promise<Buffer> {
  if ((await stat(path)).size > WHOLE_BYTES_LIMIT) throw new JobFailure('jobs.unsupported_input')
  return readFile(path)
}

/** The tags that describe a page, which libvips ignores; BigTIFF has another version number. */
const exifOf = (main: Buffer, { offset }: TiffDirectory) =>
  main.subarray(2, 4).includes(42) ? describeExif({ main, at: offset })?.exif : undefined

/** Numbers of the pages to convert, without previews and masks. */
function pagesOf(directories: readonly TiffDirectory[], wanted: ImageSettings['pages']): number[] {
  if (directories.length === 0) throw new JobFailure('jobs.corrupt_input')
  // Read as TIFF, a camera's RAW file would give its thumbnail.
  if (directories.some(directory => directory.raw)) {
    throw new JobFailure('jobs.unsupported_input', message('picture.is_raw'))
  }
  const all = directories.keys().toArray()
  const whole = all.filter(page => !directories[page]?.auxiliary)
  const pages = whole.length > 0 ? whole : all
  const isWanted = pageFilter(wanted ?? 'all', pages.length)
  const chosen = pages.filter((_, index) => isWanted(index))
  if (chosen.length === 0) {
    throw new JobFailure('jobs.unsupported_input', message('tiff.no_page_chosen', { pages: pages.length }))
  }
  if (chosen.length > PAGE_LIMIT) throw new JobFailure('jobs.too_many_pages')
  return chosen
}

/**
 * Processes every page with the first engine that can read it: libvips; if it lacks a feature, ImageMagick; then
 * libvips again, with whatever is left of a damaged page. Unreadable pages are left out.
 * @throws JobFailure if no page is left
 */
async function* eachPage<T>(
  task: Task,
  { pages, directories }: { pages: readonly number[]; directories: readonly TiffDirectory[] },
  use: (source: Pixels | Encoded, index: number, directory: TiffDirectory) => Promise<T>,
): AsyncGenerator<T> {
  const { path } = task.input
  const unread: number[] = []
  let failure: unknown
  for (const [index, page] of pages.entries()) {
    task.progress(index / pages.length)
    const directory = directories[page]!
    // Engines follow the preceding pages, one of which may be bad.
    const single = async () => alone(await readWhole(path), directory)
    const attempts = [
      async () => use(await readable({ encoded: path, page, strict: true }, task), index, directory),
      async () => use(await readable({ encoded: await single(), strict: true }, task), index, directory),
      async () => {
        const file = await single()
        const used = await use(await readTiff(file), index, directory)
        if (await exceedsRange(file)) task.warn(message('tiff.range_cut'))
        // ImageMagick silently leaves missing parts empty.
        if (!directory.complete) task.warn(DAMAGED)
        return used
      },
      async () => use({ encoded: await single() }, index, directory),
    ]
    if (isLab(directory)) {
      attempts.unshift(async () => use(await readLabPage(await single(), directory), index, directory))
    }
    try {
      yield await firstSuccess(attempts)
    } catch (error) {
      if (!(error instanceof JobFailure && BAD_PAGE.has(error.code)) || pages.length === 1) throw error
      failure ??= error
      unread.push(page + 1)
    }
  }
  if (unread.length === pages.length) throw failure
  if (unread.length > 0) {
    task.warn(message('tiff.pages_left_out', { pages: unread.slice(0, 20).join(', ') }))
  }
}

/** The page itself, if libvips knows the range of its samples: 8 or 16 bits, or any for linear light. */
async function readable(source: Encoded, { target }: Task): Promise<Encoded> {
  const { metadata } = await openPicture(source)
  if (metadata.depth === 'uchar' || metadata.depth === 'ushort') return source
  if (metadata.space === 'scrgb' && target === 'exr') return source
  throw new JobFailure('jobs.unsupported_input')
}

const RECOVERABLE = new Set(['jobs.corrupt_input', 'jobs.unsupported_input'])

/** Failures of a single page; other pages of the file may be intact. */
const BAD_PAGE = new Set([...RECOVERABLE, 'jobs.too_large'])

/** The result of the first successful attempt; if there is none, the first one's failure. */
async function firstSuccess<T>(attempts: readonly (() => Promise<T>)[]): Promise<T> {
  let failure: unknown
  for (const attempt of attempts) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof JobFailure && RECOVERABLE.has(error.code))) throw error
      failure ??= error
    }
  }
  throw failure
}
