/** Word, Excel, PowerPoint and RTF files as PDF and PDF/A. */
import type { Output, Task } from '../../../catalogue/task.ts'
import { rebuilt } from '../pdf/rebuilt.ts'
import type { OfficeOptions } from './options.ts'
import { officePdf, type PdfFilter } from './pdf.ts'

export async function convert(task: Task<OfficeOptions>): Promise<Output[]> {
  const path = await officePdf(task, filterOf(task.options))
  const { rebuild, version } = task.options
  return [{ path: rebuild ? await rebuilt(task, path, { standard: version }) : path }]
}

function filterOf({ pages, version, images, ...options }: OfficeOptions): PdfFilter {
  return {
    ...(pages === 'all' ? {} : { PageRange: pages }),
    // 0 is PDF 1.7.
    SelectPdfVersion: version ? Number(version[0]) : 0,
    ExportNotes: options.comments ?? false,
    ExportNotesPages: options.notes ?? false,
    ExportHiddenSlides: options.hiddenSlides ?? false,
    SinglePageSheets: options.singlePageSheets ?? false,
    ExportBookmarks: options.bookmarks ?? false,
    UseTaggedPDF: options.tagged || options.accessible,
    ...(images && {
      UseLosslessCompression: images.compression === 'lossless',
      Quality: images.quality,
      ReduceImageResolution: images.maxDpi !== undefined,
      MaxImageResolution: images.maxDpi ?? 300,
    }),
  }
}
