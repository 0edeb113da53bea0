/** Reads a book of any format as the model that all writers take. */
import { readFile } from 'node:fs/promises'
import type { Task } from '../../catalogue/task.ts'
import type { Book } from '../../engines/books/book/model.ts'
import { normalise } from '../../engines/books/book/normalise.ts'
import { readEpub } from '../../engines/books/epub/read/read.ts'
import { readShownMobi } from '../../engines/books/mobi/read/book.ts'
import { fictionBook } from './fb2.ts'
import { warnOfLosses } from './losses.ts'

/** @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large */
export async function bookIn(task: Task): Promise<Book> {
  const { source, input, warn } = task
  if (source === 'fb2') return fictionBook(task)
  const book =
    source === 'epub' ? await epub(input.path, warn) : await readShownMobi(await readFile(input.path), warn)
  await normalise(book)
  return book
}

async function epub(path: string, warn: Task['warn']): Promise<Book> {
  const read = await readEpub(path)
  warnOfLosses(read, warn)
  return read.book
}
