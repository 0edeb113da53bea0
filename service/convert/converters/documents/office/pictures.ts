/** Word and PowerPoint files as pictures of their pages: LibreOffice lays them out, PDFium draws them. */
import type { Output, Task } from '../../../catalogue/task.ts'
import { openPdf } from '../../../engines/pdf/pdfium/document.ts'
import { drawPages } from '../pdf/pages.ts'
import type { OfficePictureOptions } from './options.ts'
import { officePdf } from './pdf.ts'

/** Share of the layout in the work. */
const LAYOUT = 0.6

export async function convert(task: Task<OfficePictureOptions>): Promise<Output[]> {
  // Keeps the pictures of the document in their full quality.
  const path = await officePdf(task, {
    UseLosslessCompression: true,
    ReduceImageResolution: false,
    ExportNotes: false,
  })
  using pages = await openPdf(path)
  const vectorGraphic: Task = {
    ...task,
    progress: (fraction, phase) => task.progress(LAYOUT + (1 - LAYOUT) * fraction, phase),
  }
  return await drawPages(vectorGraphic, pages, task.options)
}
