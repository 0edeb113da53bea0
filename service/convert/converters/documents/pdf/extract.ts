/** Takes the pictures and the attached files out of a PDF. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { openPdf } from '../../../engines/pdf/content/document.ts'
import { attachmentsOf } from '../../../engines/pdf/edit/index.ts'
import { chosenPages, warnOfSource } from './chosen-pages.ts'
import type { ExtractOptions } from './extract-options.ts'
import { PictureStore } from './layout/pictures.ts'
import { documentFrom } from './opened.ts'

/** @throws JobFailure encrypted_input, corrupt_input, too_many_pages, unsupported_input if there is nothing in it */
export async function convert(task: Task<ExtractOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  const { pictures, attachments } = task.options
  const outputs: Output[] = []
  const add = async (data: Uint8Array, name: string) => {
    const path = join(task.folder, `output-${outputs.length}`)
    await writeFile(path, data)
    outputs.push({ path, name })
  }
  if (pictures) await takePictures(task, add)
  if (attachments) {
    const { files, damaged } = attachmentsOf(await documentFrom(task.input.path, task.options.password))
    for (const { name, data } of files) await add(data, name)
    if (damaged > 0) task.warn(message('pdf.attachments_damaged', { count: damaged }))
  }
  if (outputs.length === 0) throw new JobFailure('jobs.unsupported_input', message('pdf.nothing_to_extract'))
  return outputs
}

/** Each picture once, named by the first page that shows it: as it is in the file where that is possible, and otherwise without loss. */
async function takePictures(
  task: Task<ExtractOptions>,
  add: (data: Uint8Array, name: string) => Promise<void>,
): Promise<void> {
  const { input, options } = task
  using pdf = await openPdf(input.path, options.password)
  const chosen = chosenPages(pdf.pageCount, options.pages)
  warnOfSource(task, pdf, chosen)
  const store = new PictureStore({ isLossless: true })
  const pageOf = new Map<number, number>()
  for (const [position, index] of chosen.entries()) {
    task.progress(position / chosen.length, 'converting')
    using page = await pdf.page(index)
    for (const image of page?.content.images ?? []) {
      const picture = await store.add(page!.image(image, { asStored: true }))
      if (picture >= 0 && !pageOf.has(picture)) pageOf.set(picture, index + 1)
    }
  }
  const found = await store.finished()
  const counts = new Map<number, number>()
  for (const [picture, page] of pageOf) {
    const number = (counts.get(page) ?? 0) + 1
    counts.set(page, number)
    const { data, type } = found[picture]!
    await add(data, `${input.stem}-p${page}-${number}.${type}`)
  }
  if (store.lost > 0) task.warn(message('layout.pictures_left_out', { count: store.lost }))
}
