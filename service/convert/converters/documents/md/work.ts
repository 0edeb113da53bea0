import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { plainText } from '../../../engines/documents/read/decode.ts'
import { splitFrontMatter } from '../../../engines/documents/read/markdown/front-matter.ts'
import { parseMarkdown } from '../../../engines/documents/read/markdown/parse.ts'
import { TypesetError } from '../../../engines/documents/typst/index.ts'
import { rebuilt } from '../pdf/rebuilt.ts'
import type { MarkdownOptions } from './options.ts'
import { setDocument } from './set.ts'

/** Longer texts are not documents that anybody reads; pictures inside may be larger. */
const MAX_TEXT_BYTES = 16_000_000

/**
 * Sets GitHub-flavoured Markdown as a PDF.
 * @throws JobFailure corrupt_input, too_large, unsupported_input
 */
export async function convert(task: Task<MarkdownOptions>): Promise<Output[]> {
  const { input, options } = task
  task.progress(0, 'preparing')
  const { front, body } = splitFrontMatter(plainText(await readFile(input.path), task))
  const text = body.replace(/data:image\/[\w.+-]+;base64,[\w+/=%]+/g, 'data:')
  if (text.trim() === '' && !front.title)
    throw new JobFailure('jobs.corrupt_input', message('markdown.empty'))
  if (text.length > MAX_TEXT_BYTES) {
    throw new JobFailure('jobs.too_large', message('markdown.too_large', { megabytes: MAX_TEXT_BYTES / 1e6 }))
  }
  const tokens = parseMarkdown(body)
  task.progress(0.3, 'converting')
  const words = [text, front.title, front.subtitle, front.date, ...front.authors].join('\n')
  const { pdf, isBlank, missingLetters, lacking, lostPictures, damagedPictures } = await setDocument(
    tokens,
    words,
    front,
    options,
    input.stem,
  ).catch((error: unknown) => {
    if (!(error instanceof TypesetError)) throw error
    throw new JobFailure('jobs.unsupported_input', message('markdown.cannot_be_set'), { cause: error })
  })
  if (isBlank && !front.title) throw new JobFailure('jobs.corrupt_input', message('markdown.empty'))
  if (lostPictures > 0) task.warn(message('markdown.pictures_left_out', { count: lostPictures }))
  if (damagedPictures > 0) task.warn(message('markdown.pictures_damaged', { count: damagedPictures }))
  if (lacking.length > 0) task.warn(message('font.scripts_missing', { scripts: lacking.join(', ') }))
  if (missingLetters > 0) task.warn(message('markdown.letters_missing', { count: missingLetters }))
  const path = join(task.folder, 'document.pdf')
  await writeFile(path, pdf)
  const { rebuild, pdfa } = options
  return [{ path: rebuild ? await rebuilt(task, path, { standard: pdfa ? '2b' : undefined }) : path }]
}
