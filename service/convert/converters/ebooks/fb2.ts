/** Reads FictionBook as a book. */

import { readFile } from 'node:fs/promises'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { Task } from '../../catalogue/task.ts'
import { ZipArchive } from '../../engines/archives/zip.ts'
import { suffixOf } from '../../engines/books/book/media-types.ts'
import type { Book } from '../../engines/books/book/model.ts'
import type { PictureFile } from '../../engines/documents/format.ts'
import { isEmpty } from '../../engines/documents/model.ts'
import { type FictionBook, readFictionBook } from '../../engines/documents/read/fb2.ts'
import { bookOf } from '../../engines/documents/write/epub.ts'
import { asWebPicture } from '../../engines/pictures/web-picture.ts'

/** Largest unpacked book; text and pictures are both in it. */
const BYTES = 250_000_000

/** @throws JobFailure corrupt_input, too_large, unsupported_input */
export async function fictionBook(task: Task): Promise<Book> {
  const document = readFictionBook(await bytesOf(task.input.path))
  if (isEmpty(document.blocks)) throw new JobFailure('jobs.unsupported_input', message('ebooks.no_text'))
  const pictures = await picturesOf(document, task)
  const book = bookOf(document, {
    fileName: task.input.stem,
    file: ({ source }) => ('file' in source ? pictures.get(source.file) : undefined),
  })
  const cover = pictures.get(document.cover)
  if (!cover) return book
  const { name: href, mime: mediaType, bytes } = cover
  book.resources.set(href, { href, mediaType, bytes, properties: [] })
  return { ...book, cover: href }
}

/** The book itself, which is often packed in a ZIP. */
async function bytesOf(path: string): Promise<Buffer> {
  const bytes = await readFile(path)
  if (bytes.toString('latin1', 0, 2) !== 'PK') return bytes
  await using archive = await ZipArchive.open(path)
  const entry = archive.entries.find(({ name }) => /\.fb2$/i.test(name)) ?? archive.entries[0]
  if (!entry) throw new JobFailure('jobs.corrupt_input')
  return await archive.read(entry, BYTES)
}

/** Pictures by id; those that cannot be read are left out, with a warning. */
async function picturesOf({ pictures }: FictionBook, { warn }: Task): Promise<Map<string, PictureFile>> {
  const found = new Map<string, PictureFile>()
  let lost = 0
  for (const [id, bytes] of pictures) {
    const picture = await asWebPicture(bytes)
    if (!picture) {
      lost++
      continue
    }
    found.set(id, { name: `picture${found.size + 1}.${suffixOf(picture.mime)}`, ...picture, isDrawn: false })
  }
  if (lost > 0) warn(message('books.pictures_lost', { count: lost }))
  return found
}
