import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Output, Task } from '../../../catalogue/task.ts'
import { writeEpub } from '../../../engines/epub/write/write.ts'
import { readShownMobi } from '../../../engines/mobi/read/book.ts'

/** Share of reading the book in the work. */
const READING = 0.6

/**
 * Mobipocket and Kindle books as EPUB 3.
 * @throws JobFailure corrupt_input, encrypted_input, unsupported_input, too_large
 */
export async function convert(task: Task): Promise<Output[]> {
  task.progress(0, 'preparing')
  const file = await readFile(task.input.path)
  task.progress(0, 'converting')
  const book = await readShownMobi(file, warning => task.warn(warning))
  task.progress(READING, 'packaging')
  const path = join(task.folder, 'book.epub')
  await writeFile(path, await writeEpub(book, book.metadata.modified ?? new Date()))
  return [{ path }]
}
