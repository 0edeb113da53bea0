/** Converts PDF files to pictures of their pages. */
import type { Output, Task } from '../../../catalogue/task.ts'
import { openPdf } from '../../../engines/pdf/pdfium/document.ts'
import type { PdfPictureOptions } from '../options.ts'
import { drawPages } from './pages.ts'

export async function convert(task: Task<PdfPictureOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  using pdf = await openPdf(task.input.path, task.options.password)
  return await drawPages(task, pdf, task.options)
}
