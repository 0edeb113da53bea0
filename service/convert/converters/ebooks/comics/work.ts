/** Comics as PDF, EPUB and CBZ, and the pages of a PDF and the pictures of a book as a comic. */

import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { suffixOf } from '../../../engines/books/book/media-types.ts'
import { authoredBook, type BookPicture, type Chapter } from '../../../engines/books/epub/write/author.ts'
import { writeEpub } from '../../../engines/books/epub/write/write.ts'
import { zipParts } from '../../../engines/books/epub/zip.ts'
import { blocksOf, inlineOf } from '../../../engines/documents/model.ts'
import { documentOf } from '../../../engines/documents/read/book.ts'
import { writePdf } from '../../../engines/pdf/from-images/document.ts'
import { openPdf } from '../../../engines/pdf/pdfium/document.ts'
import { decodePicture } from '../../../engines/pictures/decode.ts'
import { openPicture } from '../../../engines/pictures/sharp/picture.ts'
import { drawPages } from '../../documents/pdf/pages.ts'
import { pdfPage } from '../../images/write/pdf-page.ts'
import type { ImageSettings } from '../../images/write/settings.ts'
import { bookIn } from '../read.ts'
import type { ComicOptions, PdfComicOptions } from './options.ts'
import { archiveOf, type Comic, readComic } from './pages.ts'

/** Pages as they are. */
const SETTINGS: ImageSettings = {
  resize: null,
  smart: null,
  metadata: { keep: 'all', description: {} },
  frame: 0,
  iconSizes: [],
  pages: null,
}

/** @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large */
export async function convert(task: Task<ComicOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  const comic = await readComic(task)
  const path = join(task.folder, `comic.${task.target}`)
  const pages = readable(task, comic.pages)
  if (task.target === 'pdf')
    await writePdf(
      path,
      pages(async each => pdfPage(task, await decodePicture(each), SETTINGS)),
    )
  else await writeFile(path, await epubOf(comic, task, pages))
  return [{ path }]
}

type Pages = <Page>(read: (path: string) => Promise<Page>) => AsyncGenerator<Page>

/** Reads pictures one after the other; those that are damaged are left out, with a warning. */
function readable(task: Task, paths: readonly string[]): Pages {
  return async function* <Page>(read: (path: string) => Promise<Page>) {
    let lost = 0
    for (const [index, path] of paths.entries()) {
      task.progress(index / paths.length, 'converting')
      let page: Page
      try {
        page = await read(path)
      } catch (error) {
        if (!(error instanceof JobFailure) || error.code === 'jobs.disk_full') throw error
        lost++
        continue
      }
      yield page
    }
    if (lost === paths.length) throw new JobFailure('jobs.corrupt_input')
    if (lost > 0) task.warn(message('pdf.pages_left_out', { pages: lost }))
  }
}

/** Formats that every reader of EPUB shows. */
const TYPES: Record<string, string> = { jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif' }

/** A book of fixed layout with a picture on each page. */
async function epubOf(comic: Comic, { options }: Task<ComicOptions>, pages: Pages): Promise<Buffer> {
  const { title } = comic
  const chapters: Chapter[] = []
  const pictures: BookPicture[] = []
  const hash = createHash('sha256')
  const drawn = pages(async path => {
    const source = await decodePicture(path)
    const picture = await openPicture(source)
    const { metadata, width, height } = picture
    const type = TYPES[metadata.format]
    const isFile = 'encoded' in source && source.encoded === path
    if (type && isFile && (metadata.orientation ?? 1) === 1)
      return { width, height, type, bytes: await readFile(path) }
    const drawn = picture.open(true).flatten({ background: '#fff' }).toColourspace('srgb')
    return { width, height, type: 'image/jpeg', bytes: await drawn.jpeg({ quality: 90 }).toBuffer() }
  })
  let first: { width: number; height: number } | undefined
  for await (const { width, height, type, bytes } of drawn) {
    const number = chapters.length + 1
    const name = `page${number}.${suffixOf(type)}`
    first ??= { width, height }
    hash.update(bytes)
    pictures.push({ name, mime: type, bytes })
    chapters.push({
      name: `page${number}`,
      title: `${title} ${number}`,
      body: `<img src="${name}" alt="${number}" style="width: ${width}px; height: ${height}px"/>`,
      size: { width, height },
    })
  }
  const book = authoredBook({
    ...comic,
    rightToLeft: options.rightToLeft || comic.rightToLeft,
    identity: hash.digest('hex'),
    style: 'body { margin: 0; } img { display: block; }',
    chapters,
    contents: [{ title, address: 'page1.xhtml' }],
    pictures,
    cover: pictures[0]?.name,
  })
  return writeEpub({ ...book, layout: 'fixed', rendition: { viewport: first } }, new Date())
}

/** Packs a comic anew, with all of its files as they are. */
export const repacked = {
  /** @throws JobFailure encrypted_input, corrupt_input, too_large */
  convert: async (task: Task): Promise<Output[]> => {
    const { convert: pack } = await import('../../archives/work.ts')
    const source = await archiveOf(task.input.path)
    return pack({ ...task, source, target: 'zip', options: { compression: 'store', deterministic: false } })
  },
}

/** Draws the pages of a PDF as those of a comic. */
export const ofPdf = {
  /** @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_many_pages */
  convert: async (task: Task<PdfComicOptions>): Promise<Output[]> => {
    task.progress(0, 'preparing')
    using pdf = await openPdf(task.input.path, task.options.password)
    const drawn = await drawPages({ ...task, target: 'jpg' }, pdf, task.options)
    return packed(
      task,
      drawn.map(({ path }) => ({ suffix: 'jpg', content: () => readFile(path) })),
    )
  },
}

/** Pictures that readers of comics show. */
const PAGE_TYPES = /^image\/(?:jpeg|png|gif|webp)$/

/** Packs the pictures of a book in reading order, each once and as it is. */
export const ofBook = {
  /** @throws JobFailure encrypted_input, corrupt_input, unsupported_input if there is no picture, too_large */
  convert: async (task: Task): Promise<Output[]> => {
    task.progress(0, 'preparing')
    const book = await bookIn(task)
    const parts = [...blocksOf(documentOf(book))].flatMap(block => [...inlineOf(block)])
    if (parts.some(part => part.kind === 'text' && part.text.trim() !== ''))
      task.warn(message('ebooks.text_left_out'))
    const shown = parts.flatMap(part => {
      const source = part.kind === 'picture' ? part.picture.source : undefined
      return source && 'file' in source ? source.file : []
    })
    const pages = [...new Set(shown)].flatMap(href => {
      const { mediaType = '', bytes: content } = book.resources.get(href) ?? {}
      return content && PAGE_TYPES.test(mediaType)
        ? { suffix: suffixOf(mediaType), content: () => content }
        : []
    })
    if (pages.length === 0) throw new JobFailure('jobs.unsupported_input', message('ebooks.no_pictures'))
    return packed(task, pages)
  },
}

/** A comic of these pictures, whose names keep their order. */
async function packed(
  { folder, progress }: Task,
  pages: readonly { suffix: string; content: () => Uint8Array | Promise<Uint8Array> }[],
): Promise<Output[]> {
  progress(0.9, 'packaging')
  const width = String(pages.length).length
  async function* files() {
    for (const [index, { suffix, content }] of pages.entries())
      yield {
        name: `${String(index + 1).padStart(width, '0')}.${suffix}`,
        content: await content(),
        stored: true,
      }
  }
  const path = join(folder, 'comic.cbz')
  await writeFile(path, zipParts(files()))
  return [{ path }]
}
