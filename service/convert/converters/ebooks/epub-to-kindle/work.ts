import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { writeKindleBook } from '../../../engines/books/mobi/write/write.ts'
import { bookIn } from '../read.ts'
import type { KindleOptions } from './options.ts'

/** Share of the work that reading the book takes. */
const READING = 0.2

/**
 * Converts books to AZW3 (KF8), or to MOBI: the old format, followed by KF8 unless the options exclude it.
 * @throws JobFailure corrupt_input, encrypted_input, too_large
 */
export async function convert(task: Task<KindleOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  const book = await bookIn(task)
  if (book.pageList.length > 0) task.warn(message('ebooks.page_list_left_out'))
  task.progress(READING, 'converting')
  const pieces = await writeKindleBook(book, {
    versions: task.target === 'azw3' ? 'kf8' : task.options.kf8 === false ? 'mobi6' : 'both',
    warn: warning => task.warn(warning),
    progress: fraction => task.progress(READING + fraction * (1 - READING), 'converting'),
  })
  const path = join(task.folder, `book.${task.target}`)
  // A stream writes its thousands of small records together, and all of each, or says that the disk is full.
  await pipeline(Readable.from(pieces), createWriteStream(path))
  return [{ path }]
}
