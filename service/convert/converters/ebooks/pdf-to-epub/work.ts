/** Converts a PDF to a book with flowing text. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { writeBook } from '../../../engines/documents/write/epub.ts'
import { documentOf, pictureFile, pictureFiles } from '../../documents/pdf/document.ts'
import { readPdf } from '../../documents/pdf/layout/read.ts'
import { warnOf } from '../../documents/pdf/text.ts'
import { dumped } from '../../documents/text/dump.ts'
import { takeCover } from './cover.ts'
import type { PdfBookOptions } from './options.ts'

/** @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_many_pages */
export async function convert(task: Task<PdfBookOptions>): Promise<Output[]> {
  const { input, folder, cores, options } = task
  const { password, ocr, pages, cover } = options
  task.progress(0, 'preparing')
  const result = await readPdf(input.path, {
    password,
    pages,
    pageLinks: true,
    recognition: { ...ocr, cores, folder },
    progress: fraction => task.progress(fraction, 'converting'),
  })
  warnOf(result, task)
  const { document } = result
  if (document.blocks.length === 0) throw new JobFailure('jobs.unsupported_input', message('layout.no_text'))
  const picture = cover ? await takeCover(document, { path: input.path, password, pages }) : undefined
  task.progress(0.9, 'packaging')
  const known = picture ? document.pictures.indexOf(picture) : -1
  const book = await writeBook(await dumped(documentOf(document, input.stem), input.stem), {
    fileName: input.stem,
    date: new Date(),
    file: pictureFiles(document),
    cover: picture && pictureFile(picture, known < 0 ? 'cover' : `picture${known + 1}`),
  })
  const path = join(folder, 'book.epub')
  await writeFile(path, book)
  return [{ path }]
}
