/** Converts a book to plain text, Markdown or a web page, and by way of Markdown to a PDF. */
import { readFile, writeFile } from 'node:fs/promises'
import type { Output, Task } from '../../../catalogue/task.ts'
import { documentOf } from '../../../engines/documents/read/book.ts'
import type { MarkdownOptions } from '../../documents/md/options.ts'
import type { WordTextOptions } from '../../documents/text/options.ts'
import { writeText } from '../../documents/text/work.ts'
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
  convert: async (task: Task<MarkdownOptions>): Promise<Output[]> => {
    const document = await documentIn(task)
    const options = { pictures: 'inline' as const }
    const [{ path = '' } = {}] = await writeText({ ...task, target: 'md', options }, document)
    const { title, authors, language } = document
    // JSON is YAML, too.
    const front = Object.entries({ title, author: authors, lang: language }).flatMap(([key, value]) =>
      value.length > 0 ? `${key}: ${JSON.stringify(value)}` : [],
    )
    await writeFile(path, `---\n${front.join('\n')}\n---\n\n${await readFile(path, 'utf8')}`)
    const { convert: set } = await import('../../documents/md/work.ts')
    return set({ ...task, input: { ...task.input, path } })
  },
}
