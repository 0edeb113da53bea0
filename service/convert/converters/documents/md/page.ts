/** Converts Markdown to a web page, and by way of it to Word, OpenDocument, RTF, EPUB and plain text. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { plainText } from '../../../engines/documents/read/decode.ts'
import { readWebPage } from '../../../engines/documents/read/html/page.ts'
import { htmlPage } from '../../../engines/documents/write/html/frame.ts'
import type { EncodingOption } from '../options.ts'
import { splitFrontMatter } from './front-matter.ts'
import { anchorsOf } from './headings.ts'
import { hasNotesInNotes } from './notes.ts'
import { parseMarkdown, renderMarkdown } from './parse.ts'
import { safeHtml } from './safe-html.ts'

/** @throws JobFailure corrupt_input, and those of LibreOffice */
export async function convert(task: Task<EncodingOption>): Promise<Output[]> {
  const { input, folder, target } = task
  task.progress(0, 'preparing')
  const { front, body: text } = splitFrontMatter(plainText(await readFile(input.path), task))
  if (text.trim() === '' && !front.title)
    throw new JobFailure('jobs.corrupt_input', message('markdown.empty'))
  const tokens = parseMarkdown(text)
  const { firstTitle, byName, headings } = anchorsOf(tokens)
  const names = new Map(Array.from(byName, ([name, label]) => [label, name]))
  for (const [token, label] of headings) token.attrSet('id', names.get(label) ?? label)
  const facts = {
    title: front.title ?? firstTitle ?? input.stem,
    language: front.language ?? '',
    authors: front.authors,
  }
  const isOffice = ['docx', 'odt', 'rtf'].includes(target)
  const notes =
    isOffice && !hasNotesInNotes(tokens) ? 'footnotes' : isOffice || target === 'txt' ? 'listed' : 'linked'
  const lost = new Set<string>()
  const body = safeHtml(renderMarkdown(tokens, notes), isOffice ? address => lost.add(address) : undefined)
  if (lost.size > 0) task.warn(message('markdown.pictures_left_out', { count: lost.size }))
  const page = htmlPage(facts, body)
  if (target === 'epub' || target === 'txt') {
    const { writeText } = await import('../text/work.ts')
    return writeText({ ...task, options: {} }, { ...readWebPage(page), authors: front.authors })
  }
  const path = join(folder, 'page.html')
  await writeFile(path, page)
  if (target === 'html') return [{ path }]
  const { officeFile } = await import('../office/file.ts')
  const saved = await officeFile({ ...task, source: 'html', input: { ...input, path }, options: {} }, target)
  return [{ path: saved.path }]
}
