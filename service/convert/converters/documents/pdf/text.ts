/** Converts a PDF to an editable document: Word or Markdown. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import type { PdfTextOptions } from '../options.ts'
import type { TextDocument } from './layout/model.ts'
import { type ReadResult, readPdf } from './layout/read.ts'
import { writeMarkdown } from './write/markdown.ts'

export async function convert(task: Task<PdfTextOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  const { password, ocr, pictures = 'files' } = task.options
  const result = await readPdf(task.input.path, {
    password,
    looks: task.target === 'docx',
    recognition: { ...ocr, cores: task.cores },
    progress: fraction => task.progress(fraction, 'converting'),
  })
  warnOf(result, task)
  const { document } = result
  if (document.blocks.length === 0) throw new JobFailure('jobs.unsupported_input', message('layout.no_text'))
  return task.target === 'md' ? markdown(task, document, pictures) : word(task, document)
}

/** Warns about parts of a PDF that are not in the converted document. */
export function warnOf(
  { foundPages, damaged, scanned, unreadable, lostPictures }: ReadResult,
  task: Task,
): void {
  const warnOfPages = (
    key: 'layout.pages_left_out' | 'layout.pages_not_recognised' | 'layout.text_unreadable',
    pages: number[],
  ) => {
    if (pages.length > 0) task.warn(message(key, { pages: ranges(pages) }))
  }
  if (foundPages !== undefined) task.warn(message('pdf.repaired', { pages: foundPages }))
  warnOfPages('layout.pages_left_out', damaged)
  warnOfPages('layout.pages_not_recognised', scanned)
  warnOfPages('layout.text_unreadable', unreadable)
  if (lostPictures > 0) task.warn(message('layout.pictures_left_out', { count: lostPictures }))
}

/** Page numbers such as `1–3, 7`; only the first ones if there are many. */
function ranges(pages: readonly number[]): string {
  const found: [number, number][] = []
  for (const page of pages) {
    const last = found.at(-1)
    if (last && page === last[1] + 1) last[1] = page
    else found.push([page, page])
  }
  const texts = found.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`))
  return texts.length > 12 ? `${texts.slice(0, 12).join(', ')} …` : texts.join(', ')
}

async function word(task: Task<PdfTextOptions>, document: TextDocument): Promise<Output[]> {
  const { writeWord } = await import('./write/word/word.ts')
  const path = join(task.folder, 'output.docx')
  await writeFile(path, await writeWord(document))
  return [{ path }]
}

/** A single file, or the file together with its pictures. */
async function markdown(
  task: Task<PdfTextOptions>,
  document: TextDocument,
  pictures: NonNullable<PdfTextOptions['pictures']>,
): Promise<Output[]> {
  const path = join(task.folder, 'output.md')
  const stem = task.input.stem
  const nameOf = (index: number) => `${stem}-${index + 1}.${document.pictures[index]!.type}`
  const addressOf = (index: number) => {
    if (pictures === 'none') return undefined
    if (pictures === 'files') return nameOf(index)
    const { data, type } = document.pictures[index]!
    return `data:image/${type === 'jpg' ? 'jpeg' : type};base64,${Buffer.from(data).toString('base64')}`
  }
  await writeFile(path, writeMarkdown(document, addressOf))
  if (pictures !== 'files' || document.pictures.length === 0) return [{ path }]
  const outputs: Output[] = [{ path, name: `${stem}.md` }]
  for (const [index, { data, type }] of document.pictures.entries()) {
    const picture = join(task.folder, `picture-${index + 1}.${type}`)
    await writeFile(picture, data)
    outputs.push({ path: picture, name: nameOf(index) })
  }
  return outputs
}
