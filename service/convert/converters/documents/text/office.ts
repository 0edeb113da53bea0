/** Converts Markdown to Word, and by way of it to OpenDocument and RTF. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { textIn } from '../../../engines/common/text.ts'
import { type Document, type Inline, mapRuns, run } from '../../../engines/documents/model.ts'
import { DrawingBoard } from '../../../engines/documents/pictures/drawings.ts'
import { picturesOf } from '../../../engines/documents/pictures/pictures.ts'
import { readMarkdown } from '../../../engines/documents/read/markdown/read.ts'
import { writeWord } from '../../../engines/documents/write/docx/word.ts'
import { bookOf } from '../../../engines/documents/write/epub.ts'
import type { EncodingOption } from '../options.ts'
import { dumped } from './dump.ts'

/** @throws JobFailure corrupt_input, too_large, and those of LibreOffice */
export async function convert(task: Task<EncodingOption>): Promise<Output[]> {
  const { input, folder, target } = task
  task.progress(0, 'preparing')
  const text = Buffer.from(textIn(await readFile(input.path), task))
  const { document, lost } = withNames(await dumped(readMarkdown(text), input.stem))
  if (lost > 0) task.warn(message('markdown.pictures_left_out', { count: lost }))
  await using board = new DrawingBoard(folder)
  const pictures = await picturesOf(document, board, false)
  const book = bookOf(
    document,
    {
      fileName: input.stem,
      file: ({ source }) => ('file' in source ? pictures.get(source.file) : undefined),
    },
    true,
  )
  task.progress(0.2, 'converting')
  const { bytes } = await writeWord(book, { page: 'a4', contents: false, fonts: async () => [] })
  const path = join(folder, 'document.docx')
  await writeFile(path, bytes)
  if (target === 'docx') return [{ path }]
  const { officeFile } = await import('../office/file.ts')
  const saved = await officeFile({ ...task, source: 'docx', input: { ...input, path }, options: {} }, target)
  return [{ path: saved.path }]
}

/** Names pictures that are not in the file in their places. */
function withNames(document: Document): { document: Document; lost: number } {
  const lost = new Set<string>()
  const change = (content: Inline[]): Inline[] =>
    content.map(part => {
      if (part.kind === 'link' || part.kind === 'reference') return { ...part, content: change(part.content) }
      if (part.kind !== 'picture' || 'file' in part.picture.source) return part
      const { address } = part.picture.source
      lost.add(address)
      const name = run(`[${part.picture.description || address}]`)
      return /^https?:/i.test(address) ? { kind: 'link', address, content: [name] } : name
    })
  const notes = new Map(Array.from(document.notes, ([key, blocks]) => [key, mapRuns(blocks, change)]))
  return { document: { ...document, blocks: mapRuns(document.blocks, change), notes }, lost: lost.size }
}
