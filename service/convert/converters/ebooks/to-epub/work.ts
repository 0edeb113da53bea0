import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Output, Task } from '../../../catalogue/task.ts'
import { writeEpub } from '../../../engines/books/epub/write/write.ts'
import { bookIn } from '../read.ts'

/** Share of reading the book in the work. */
const READING = 0.6

/**
 * Mobipocket, Kindle and FictionBook books as EPUB 3.
 * @throws JobFailure corrupt_input, encrypted_input, unsupported_input, too_large
 */
export async function convert(task: Task): Promise<Output[]> {
  task.progress(0, 'converting')
  const book = await bookIn(task)
  task.progress(READING, 'packaging')
  const path = join(task.folder, 'book.epub')
  await writeFile(path, await writeEpub(book, book.metadata.modified ?? new Date()))
  return [{ path }]
}
