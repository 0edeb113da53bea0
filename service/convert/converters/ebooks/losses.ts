import { message } from '../../../shared/messages/message.ts'
import type { Task } from '../../catalogue/task.ts'
import type { ReadBook } from '../../engines/epub/read/read.ts'

/** Tells what of an EPUB cannot be in a book of another format. */
export function warnOfLosses({ missing, isNarrated }: ReadBook, warn: Task['warn']): void {
  if (missing > 0) warn(message('ebooks.files_missing', { count: missing }))
  if (isNarrated) warn(message('ebooks.narration_left_out'))
}
