import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { dataAddress } from '../../../engines/common/addresses.ts'
import type { PictureUse, WordDocument } from '../../../engines/documents/model.ts'
import { DrawingBoard } from '../../../engines/documents/pictures/drawings.ts'
import { picturesIn, picturesOf } from '../../../engines/documents/pictures/pictures.ts'
import { plainText } from '../../../engines/documents/read/decode.ts'
import { readDocx } from '../../../engines/documents/read/docx/read.ts'
import { readWebPage } from '../../../engines/documents/read/html/page.ts'
import { readPptx } from '../../../engines/documents/read/pptx/read.ts'
import { readPlainText } from '../../../engines/documents/read/text.ts'
import { writeBook } from '../../../engines/documents/write/epub.ts'
import { writePage } from '../../../engines/documents/write/html/page.ts'
import { isEmptyDocument, writeMarkdown } from '../../../engines/documents/write/markdown/blocks.ts'
import { writePlain } from '../../../engines/documents/write/text.ts'
import type { SlideTextOptions, WordTextOptions } from './options.ts'

type ReadOptions = WordTextOptions & SlideTextOptions

const SLIDES = new Set(['odp', 'ppt', 'pptx'])

/**
 * Converts a Word document or presentation, what LibreOffice saves as one, a web page or plain text to Markdown, a web page, an EPUB or plain text.
 * Pictures are files of their own or within the text.
 * @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large
 */
export async function convert(task: Task<ReadOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  return writeText(task, await documentIn(task))
}

async function documentIn({ source, input, options, ...task }: Task<ReadOptions>): Promise<WordDocument> {
  if (source === 'html') return readWebPage(await readFile(input.path))
  if (source === 'txt') return readPlainText(plainText(await readFile(input.path)))
  const isSlides = SLIDES.has(source)
  const read = isSlides ? readPptx : readDocx
  if (source === 'docx' || source === 'pptx') return read(await readFile(input.path), options)
  const { officeFile } = await import('../office/file.ts')
  const { bytes } = await officeFile({ ...task, source, input, options }, isSlides ? 'pptx' : 'docx')
  // What LibreOffice has saved is not protected.
  return read(bytes, { ...options, password: undefined })
}

/**
 * Writes a document in the task's target format.
 * @throws JobFailure unsupported_input if it is empty
 */
export async function writeText(task: Task<WordTextOptions>, document: WordDocument): Promise<Output[]> {
  const { input, target, folder } = task
  if (isEmptyDocument(document)) throw new JobFailure('jobs.unsupported_input', message('word.empty'))
  task.progress(0.4, 'converting')
  if (target === 'txt') {
    const path = join(folder, 'document.txt')
    const text = writePlain(document)
    // A book of pictures, say.
    if (text.trim() === '') throw new JobFailure('jobs.unsupported_input', message('markdown.empty'))
    await writeFile(path, text)
    return [{ path }]
  }
  const wantsPictures = target === 'epub' || (task.options.pictures ?? 'none') !== 'none'
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
    // A web page may show pictures beside it, other documents only those of the web.
    if ('address' in source)
      return task.source === 'html' || /^https?:/i.test(source.address) ? source.address : undefined
    const picture = pictures.get(source.file)
    if (!picture) return undefined
    if (task.options.pictures === 'inline') return dataAddress(picture.mime, picture.bytes)
    used.add(picture.name)
    return picture.name
  }
  const path = join(folder, `document.${target}`)
  const text = target === 'md' ? writeMarkdown(document, address) : writePage(document, input.stem, address)
  await writeFile(path, text)
  const outputs: Output[] = [{ path, name: `${input.stem}.${target}` }]
  for (const { name, bytes } of pictures.values()) {
    if (!used.has(name)) continue
    const file = join(folder, name)
    await writeFile(file, bytes)
    outputs.push({ path: file, name })
  }
  return outputs
}
