/** Reads a book of any format as the model that all writers take. */
import { readFile } from 'node:fs/promises'
import { message } from '../../../shared/messages/message.ts'
import type { Task } from '../../catalogue/task.ts'
import type { Book } from '../../engines/books/book/model.ts'
import { normalise } from '../../engines/books/book/normalise.ts'
import { type ReadBook, readEpub } from '../../engines/books/epub/read/read.ts'
import { readShownMobi } from '../../engines/books/mobi/read/book.ts'
import { fictionBook } from './fb2.ts'

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

/** Warns of what of an EPUB cannot be in a book of another format. */
export function warnOfLosses(
  { missing, damaged, isNarrated }: Pick<ReadBook, 'missing' | 'damaged' | 'isNarrated'>,
  warn: Task['warn'],
): void {
  if (missing > 0) warn(message('ebooks.files_missing', { count: missing }))
  if (damaged.length > 0) {
    warn(message('ebooks.damaged_left_out', { count: damaged.length, name: damaged[0]!.slice(-60) }))
  }
  if (isNarrated) warn(message('ebooks.narration_left_out'))
}
