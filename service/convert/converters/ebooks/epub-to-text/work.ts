/** Converts a book to formats of text documents, and to PDF. */
import type { Output, Task } from '../../../catalogue/task.ts'
import { documentOf } from '../../../engines/documents/read/book.ts'
import type { WordTextOptions } from '../../documents/text/options.ts'
import { writeText } from '../../documents/text/work.ts'
import type { TypesetOptions } from '../../documents/typeset/options.ts'
import { bookIn } from '../read.ts'

async function documentIn(task: Task) {
  task.progress(0, 'preparing')
  return documentOf(await bookIn(task))
}

/** @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large */
export async function convert(task: Task<WordTextOptions>): Promise<Output[]> {
  return writeText(task, await documentIn(task))
}

/** Typesets a book. */
export const typeset = {
  /** @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large */
  convert: async (task: Task<TypesetOptions>): Promise<Output[]> => {
    const { typesetText } = await import('../../documents/typeset/work.ts')
    return typesetText(task, await documentIn(task))
  },
}
