import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { present } from '../../../catalogue/options.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import type { PictureUse } from '../../../engines/docx/model.ts'
import { readDocx } from '../../../engines/docx/read.ts'
import { DrawingBoard } from './drawings.ts'
import { writeBook } from './epub.ts'
import { isEmptyDocument, writeMarkdown } from './markdown.ts'
import type { WordTextOptions } from './options.ts'
import { picturesIn, picturesOf } from './pictures.ts'

/**
 * Converts a Word document to Markdown or an EPUB. Markdown pictures are separate files unless the options ask for inline ones.
 * @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large
 */
export async function convert(task: Task<WordTextOptions>): Promise<Output[]> {
  const { input, target, folder } = task
  task.progress(0, 'preparing')
  const document = readDocx(await readFile(input.path), task.options)
  if (isEmptyDocument(document)) throw new JobFailure('jobs.unsupported_input', message('word.empty'))
  task.progress(0.4, 'converting')
  const wantsPictures = target === 'epub' || present(task.options.pictures) !== 'none'
  const keepsDrawings = target === 'md' && task.options.pictures === 'files'
  await using board = new DrawingBoard(folder)
  const pictures = wantsPictures ? await picturesOf(document, board, keepsDrawings) : new Map<string, never>()
  const lost = picturesIn(document).filter(({ source }) =>
    'file' in source ? !pictures.has(source.file) : target === 'epub',
  )
  if (wantsPictures && lost.length > 0) task.warn(message('word.pictures_lost', { count: lost.length }))
  const drawings = [...pictures.values()].filter(({ isDrawing }) => isDrawing).length
  if (drawings > 0) task.warn(message('word.drawings_kept', { count: drawings }))
  if (document.lostChunks > 0) task.warn(message('word.chunks_lost', { count: document.lostChunks }))
  if (document.lostObjects > 0) task.warn(message('word.objects_lost', { count: document.lostObjects }))

  if (target === 'epub') {
    const path = join(folder, 'book.epub')
    await writeFile(path, await writeBook(document, pictures, { title: input.stem, date: new Date() }))
    return [{ path }]
  }
  const used = new Set<string>()
  const address = ({ source }: PictureUse) => {
    if (!wantsPictures) return undefined
    if ('address' in source) return /^https?:/i.test(source.address) ? source.address : undefined
    const picture = pictures.get(source.file)
    if (!picture) return undefined
    if (task.options.pictures === 'inline') {
      return `data:${picture.mime};base64,${Buffer.from(picture.bytes).toString('base64')}`
    }
    used.add(picture.name)
    return picture.name
  }
  const path = join(folder, 'document.md')
  await writeFile(path, writeMarkdown(document, address))
  const outputs: Output[] = [{ path, name: `${input.stem}.md` }]
  for (const { name, bytes } of pictures.values()) {
    if (!used.has(name)) continue
    const file = join(folder, name)
    await writeFile(file, bytes)
    outputs.push({ path: file, name })
  }
  return outputs
}
