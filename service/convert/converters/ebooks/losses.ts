import { message } from '../../../shared/messages/message.ts'
import type { Task } from '../../catalogue/task.ts'
import type { ReadBook } from '../../engines/books/epub/read/read.ts'

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
