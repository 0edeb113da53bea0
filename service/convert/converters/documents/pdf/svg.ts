/** Converts pages of a PDF to SVG, which stays sharp at any size. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Output, Task } from '../../../catalogue/task.ts'
import { vectorGraphicsOf } from '../../../engines/documents/typst/compiler.ts'
import { flattened, writeDocument } from '../../../engines/pdf/edit/index.ts'
import { openPdf } from '../../../engines/pdf/pdfium/document.ts'
import type { PdfSlideOptions } from '../options.ts'
import { chosenPages, warnOfSource, warnOfUnread } from './chosen-pages.ts'
import { documentFrom } from './opened.ts'

/** @throws JobFailure encrypted_input, corrupt_input, too_many_pages, unsupported_input if no page is chosen */
export async function convert(task: Task<PdfSlideOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  const { input, options, folder } = task
  using pdf = await openPdf(input.path, options.password, { fields: false })
  const chosen = chosenPages(pdf.pageCount, options.pages)
  warnOfSource(task, pdf, chosen)
  const file = Buffer.from(
    await writeDocument(await flattened(await documentFrom(input.path, options.password))),
  )
  const outputs: Output[] = []
  for (const [position, svg] of vectorGraphicsOf(file, chosen)) {
    task.progress(position / chosen.length, 'converting')
    if (!svg) continue
    const path = join(folder, `output-${position}.svg`)
    await writeFile(path, svg)
    outputs.push({ path })
  }
  warnOfUnread(task, outputs.length, chosen.length)
  return outputs
}
