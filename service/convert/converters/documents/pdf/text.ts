/** Converts a PDF to an editable document: Word, Markdown, a web page or plain text. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { dataAddress } from '../../../engines/common/addresses.ts'
import { writers } from '../../../engines/documents/index.ts'
import type { PictureUse } from '../../../engines/documents/model.ts'
import type { PdfTextOptions } from '../options.ts'
import { dumped } from '../text/dump.ts'
import { savedBy } from '../text/office.ts'
import { ranges, shortened, warnOfSource } from './chosen-pages.ts'
import { documentOf, pictureFile, pictureFiles } from './document.ts'
import type { TextDocument } from './layout/model.ts'
import { type ReadResult, readPdf } from './layout/read.ts'

type TextTask = Task<PdfTextOptions>

/** A new target is a row here. */
const WRITERS: Record<string, (task: TextTask, document: TextDocument) => Promise<Output[]>> = {
  docx: word,
  odt: byWord,
  rtf: byWord,
  md: withPictures,
  html: withPictures,
  txt: withPictures,
}

/** @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_many_pages */
export async function convert(task: TextTask): Promise<Output[]> {
  task.progress(0, 'preparing')
  const result = await read(task)
  warnOf(result, task)
  const { document } = result
  if (document.blocks.length === 0) throw new JobFailure('jobs.unsupported_input', message('layout.no_text'))
  return write(task, document)
}

export const read = ({
  input,
  folder,
  target,
  options: { password, ocr, comments },
  cores,
  progress,
}: TextTask) => {
  const styled = /^(?:docx|odt|rtf)$/.test(target)
  return readPdf(input.path, {
    password,
    styled,
    pageLinks: styled,
    comments,
    recognition: { ...ocr, cores, folder },
    progress: fraction => progress(fraction, 'converting'),
  })
}

export const write = (task: TextTask, document: TextDocument): Promise<Output[]> =>
  WRITERS[task.target]!(task, document)

/** Warns about parts of a PDF that are not in the converted document. */
export function warnOf(result: ReadResult, task: Task): void {
  const { damaged, scanned, unreadable, lostPictures, attachments } = result
  const warnOfPages = (
    key: 'layout.pages_left_out' | 'layout.pages_not_recognised' | 'layout.text_unreadable',
    pages: number[],
  ) => {
    if (pages.length > 0) task.warn(message(key, { pages: ranges(pages) }))
  }
  warnOfSource(task, result, [])
  warnOfPages('layout.pages_left_out', damaged)
  warnOfPages('layout.pages_not_recognised', scanned)
  warnOfPages('layout.text_unreadable', unreadable)
  if (lostPictures > 0) task.warn(message('layout.pictures_left_out', { count: lostPictures }))
  if (attachments.length > 0) task.warn(message('layout.files_left_out', { names: shortened(attachments) }))
}

async function word({ folder, input: { stem } }: TextTask, document: TextDocument): Promise<Output[]> {
  const write = await writers.docx.load()
  const path = join(folder, 'output.docx')
  const given = {
    fileName: stem,
    date: new Date(),
    address: () => undefined,
    file: pictureFiles(document),
  }
  await writeFile(path, await write(await dumped(documentOf(document, stem), stem), given))
  return [{ path }]
}

async function byWord(task: TextTask, document: TextDocument): Promise<Output[]> {
  const [{ path = '' } = {}] = await word(task, document)
  return savedBy(task, 'docx', path)
}

/** A single file, or the file together with its pictures. */
async function withPictures(
  { options: { pictures = 'files' }, folder, input: { stem }, target }: TextTask,
  document: TextDocument,
): Promise<Output[]> {
  const { pictures: place, load } = writers[target as 'html' | 'md' | 'txt']
  const path = join(folder, `output.${target}`)
  const nameOf = (index: number) => `${stem}-${index + 1}.${document.pictures[index]!.type}`
  const address = ({ source }: PictureUse) => {
    if (pictures === 'none' || !('file' in source)) return undefined
    const index = Number(source.file)
    if (pictures === 'files') return target === 'html' ? encodeURIComponent(nameOf(index)) : nameOf(index)
    const { mime, bytes } = pictureFile(document.pictures[index]!, '')
    return dataAddress(mime, bytes)
  }
  const write = await load()
  const given = { fileName: stem, date: new Date(), address, file: () => undefined }
  await writeFile(path, write(await dumped(documentOf(document, stem), stem), given))
  if (place === 'none' || pictures !== 'files' || document.pictures.length === 0) return [{ path }]
  const outputs: Output[] = [{ path, name: `${stem}.${target}` }]
  for (const [index, { data, type }] of document.pictures.entries()) {
    const picture = join(folder, `picture-${index + 1}.${type}`)
    await writeFile(picture, data)
    outputs.push({ path: picture, name: nameOf(index) })
  }
  return outputs
}
