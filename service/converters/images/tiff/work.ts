/** TIFF files, of one page or many. */
import { readFile } from 'node:fs/promises'
import type { Output, Task } from '../../../catalogue/task.ts'
import { readDirectories, type TiffDirectory } from '../../../engines/formats/tiff-directories.ts'
import { writePdf } from '../../../engines/image-pdf/document.ts'
import { readTiffPage } from '../../../engines/magick/tiff.ts'
import type { Pixels } from '../../../engines/pixels.ts'
import { type Encoded, openPicture } from '../../../engines/sharp/picture.ts'
import { readHead, sniffKind } from '../../../engines/sharp/sniff.ts'
import { JobFailure } from '../../../errors.ts'
import { message } from '../../../messages/message.ts'
import type { ImageOptions } from '../options.ts'
import { DAMAGED } from '../write/damage.ts'
import { pdfPage } from '../write/pdf-page.ts'
import { type ImageSettings, imageSettings } from '../write/settings.ts'
import { outputPath, writeStill } from '../write/still.ts'

/** Pages one file may have. */
const PAGE_LIMIT = 2000

export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  const { path } = task.input
  const kind = sniffKind(await readHead(path))
  if (!kind) throw new JobFailure('jobs.corrupt_input')
  if (kind !== 'tiff') return (await import('../raster/work.ts')).convert(task)
  const directories = await readDirectories(path)
  const settings = imageSettings(task.options)
  const pages = pagesOf(directories, settings.pages)
  if (task.target === 'pdf') {
    const output = outputPath(task)
    await writePdf(
      output,
      eachPage(task, pages, directories, source => pdfPage(task, source, settings)),
    )
    return [{ path: output }]
  }
  const outputs: Output[] = []
  const written = eachPage(task, pages, directories, (source, index) =>
    writeStill(task, source, settings, { index }),
  )
  for await (const page of written) outputs.push(...page)
  return outputs
}

/** Numbers of the pages to convert; previews and masks are none. */
function pagesOf(directories: readonly TiffDirectory[], wanted: ImageSettings['pages']): number[] {
  if (directories.length === 0) throw new JobFailure('jobs.corrupt_input')
  // Read as TIFF, a camera's RAW file would yield its thumbnail.
  if (directories.some(directory => directory.raw)) {
    throw new JobFailure('jobs.unsupported_input', message('picture.is_raw'))
  }
  const all = directories.keys().toArray()
  const whole = all.filter(page => !directories[page]?.auxiliary)
  const pages = whole.length > 0 ? whole : all
  const chosen = wanted ? pages.filter((_, index) => wanted(index)) : pages
  if (chosen.length === 0) {
    throw new JobFailure('jobs.unsupported_input', message('tiff.no_page_chosen', { pages: pages.length }))
  }
  if (chosen.length > PAGE_LIMIT) throw new JobFailure('jobs.too_many_pages')
  return chosen
}

/**
 * Does something with every page as the first engine reads it that can: libvips; where it lacks a feature,
 * ImageMagick; and libvips once more, taking what a damaged page still has.
 */
async function* eachPage<T>(
  task: Task,
  pages: readonly number[],
  directories: readonly TiffDirectory[],
  use: (source: Pixels | Encoded, index: number) => Promise<T>,
): AsyncGenerator<T> {
  const { path } = task.input
  for (const [index, page] of pages.entries()) {
    task.progress(index / pages.length)
    const attempts = [
      async () => use(await readable({ encoded: path, page, strict: true }), index),
      async () => {
        const used = await use(await readTiffPage(await readFile(path), page), index)
        // ImageMagick leaves empty what is missing, without a word.
        if (!directories[page]?.complete) task.warn(DAMAGED)
        return used
      },
      async () => use({ encoded: path, page }, index),
    ]
    yield await firstSuccess(attempts)
  }
}

/** The page itself, if its samples are of a kind libvips knows the range of: 8 or 16 bits. */
async function readable(source: Encoded): Promise<Encoded> {
  const { metadata } = await openPicture(source)
  if (metadata.depth === 'uchar' || metadata.depth === 'ushort') return source
  throw new JobFailure('jobs.unsupported_input')
}

const RECOVERABLE = new Set(['jobs.corrupt_input', 'jobs.unsupported_input'])

/** The result of the first attempt that works; if none does, the first one's failure. */
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
