/** Reads FictionBook as a book. */
import { readFile } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Task } from '../../../catalogue/task.ts'
import { ZipArchive, ZipError } from '../../../engines/archives/zip.ts'
import type { Book } from '../../../engines/books/book/model.ts'
import { authoredBook, type BookPicture } from '../../../engines/books/epub/write/author.ts'
import { type FictionBook, readFictionBook } from '../../../engines/books/fictionbook/read.ts'
import { canonicalLanguage } from '../../../engines/common/language/tag.ts'
import { textOf } from '../../../engines/common/xml/element.ts'
import { asWebPicture } from '../../../engines/pictures/web-picture.ts'
import { chaptersOf } from './chapters.ts'

const STYLE = `body { line-height: 1.4; }
img { max-width: 100%; }
h1, h2, h3, h4, h5, h6 { text-align: center; page-break-after: avoid; }
.poem { margin: 1em 0 1em 2em; }
.stanza { margin: 0.7em 0; }
.verse, .empty { margin: 0; }
.subtitle { text-align: center; font-weight: bold; }
.author { text-align: right; font-style: italic; }
.epigraph { margin-left: 40%; font-style: italic; }
td, th { border: 1px solid #888; padding: 0.2em 0.5em; }
`

/** Largest unpacked book; text and pictures are both in it. */
const BYTES = 250_000_000

/** @throws JobFailure corrupt_input, too_large, unsupported_input */
export async function fictionBook(task: Task): Promise<Book> {
  const book = readFictionBook(await bytesOf(task.input.path))
  const pictures = await picturesOf(book, task)
  const { chapters, contents } = chaptersOf(book, id => pictures.get(id)?.name)
  if (chapters.length === 0) throw new JobFailure('jobs.unsupported_input', message('ebooks.no_text'))
  const title = book.title || task.input.stem
  return authoredBook({
    title,
    authors: book.authors,
    language: canonicalLanguage(book.language),
    rightToLeft: false,
    description: textOf(book.annotation).replace(/\s+/g, ' ').trim() || undefined,
    subjects: book.subjects,
    identity: JSON.stringify([title, book.authors, chapters.map(({ body }) => body)]),
    style: STYLE,
    chapters,
    contents: contents.length > 0 ? contents : [{ title, address: `${chapters[0]!.name}.xhtml` }],
    pictures: [...pictures.values()],
    cover: pictures.get(book.cover ?? '')?.name,
  })
}

/** The book itself, which is often packed in a ZIP. */
async function bytesOf(path: string): Promise<Buffer> {
  const bytes = await readFile(path)
  if (bytes.toString('latin1', 0, 2) !== 'PK') return bytes
  try {
    await using archive = await ZipArchive.open(path)
    const entry = archive.entries.find(({ name }) => /\.fb2$/i.test(name)) ?? archive.entries[0]
    if (!entry) throw new JobFailure('jobs.corrupt_input')
    return await archive.read(entry, BYTES)
  } catch (cause) {
    if (!(cause instanceof ZipError)) throw cause
    throw new JobFailure(cause.problem === 'too_large' ? 'jobs.too_large' : 'jobs.corrupt_input', undefined, {
      cause,
    })
  }
}

/** Pictures by id; those that cannot be read are left out, with a warning. */
async function picturesOf({ pictures }: FictionBook, { warn }: Task): Promise<Map<string, BookPicture>> {
  const found = new Map<string, BookPicture>()
  let lost = 0
  for (const [id, bytes] of pictures) {
    const picture = await asWebPicture(bytes)
    if (!picture) {
      lost++
      continue
    }
    const suffix = picture.mime === 'image/jpeg' ? 'jpg' : picture.mime.slice(6)
    found.set(id, { name: `picture${found.size + 1}.${suffix}`, ...picture })
  }
  if (lost > 0) warn(message('books.pictures_lost', { count: lost }))
  return found
}
