/** Converts a book to a Word document. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { writeWord } from '../../../engines/documents/write/docx/word.ts'
import { bookIn } from '../read.ts'
import type { BookDocumentOptions } from './options.ts'

/** @throws JobFailure encrypted_input, corrupt_input, too_large */
export async function convert(task: Task<BookDocumentOptions>): Promise<Output[]> {
  const { folder, options } = task
  task.progress(0, 'preparing')
  const { bytes, lost } = await writeWord(await bookIn(task), {
    ...options,
    folder,
    progress: fraction => task.progress(0.1 + fraction * 0.8, 'converting'),
  })
  const path = join(folder, 'book.docx')
  await writeFile(path, bytes)
  if (lost.pictures > 0) task.warn(message('books.pictures_lost', { count: lost.pictures }))
  if (lost.formulas > 0) task.warn(message('books.formulas_lost', { count: lost.formulas }))
  if (lost.media > 0) task.warn(message('books.media_lost', { count: lost.media }))
  if (lost.links > 0) task.warn(message('books.links_lost', { count: lost.links }))
  return [{ path }]
}
