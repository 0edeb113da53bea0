import type { Task } from '../../catalogue/task.ts'
import type { ReadBook } from '../../engines/epub/read/read.ts'
import { message } from '../../messages/message.ts'

/** Tells what of an EPUB cannot be in a book of another format. */
export function warnOfLosses({ missing, isNarrated }: ReadBook, warn: Task['warn']): void {
  if (missing > 0) warn(message('ebooks.files_missing', { count: missing }))
  if (isNarrated) warn(message('ebooks.narration_left_out'))
}
