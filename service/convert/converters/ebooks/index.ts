import { defineConverters, perMegabyte, perPage } from '../../catalogue/converter.ts'
import { webTextOptions } from '../documents/text/options.ts'
import { textConverters } from '../documents/text/rows.ts'
import { typesetOptions } from '../documents/typeset/options.ts'
import { comicOptions, pdfComicOptions } from './comics/options.ts'
import { bookDocumentOptions } from './epub-to-docx/options.ts'
import { kindleOptions } from './epub-to-kindle/options.ts'
import { pdfBookOptions } from './pdf-to-epub/options.ts'

const costing = perMegabyte(5)
const text = () => import('./epub-to-text/work.ts')
const comic = () => import('./comics/work.ts')
const measure = () => import('../documents/pdf/measure.ts')
const toEpub = () => import('./to-epub/work.ts')
const toKindle = () => import('./epub-to-kindle/work.ts')
const toWord = () => import('./epub-to-docx/work.ts')
const typeset = async () => (await text()).typeset

// biome-ignore format: a table
const rows = defineConverters('ebooks', [
  { source: 'azw3', targets: ['epub'], likely: 'epub', costing, engine: 'ebooks', load: toEpub },
  { source: 'epub', targets: ['azw3', 'mobi'], likely: 'azw3', costing, options: kindleOptions, engine: 'ebooks', load: toKindle },
  { source: 'epub', targets: ['docx'], costing, options: bookDocumentOptions, engine: 'ebooks', load: toWord },
  { source: 'epub', targets: ['kepub'], costing, engine: 'ebooks', load: () => import('./epub-to-kepub/work.ts') },
  { source: 'mobi', targets: ['epub'], likely: 'epub', costing, engine: 'ebooks', load: toEpub },
  { source: 'pdf', targets: ['epub'], costing: perPage(5), options: pdfBookOptions, engine: 'pdf', measure, load: () => import('./pdf-to-epub/work.ts'), seconds: (_minutes, pages) => 300 + 6 * pages },

  // Books of other formats.
  { source: 'fb2', targets: ['epub'], likely: 'epub', extension: true, costing, engine: 'ebooks', load: toEpub },
  { source: 'fb2', targets: ['azw3', 'mobi'], extension: true, costing, options: kindleOptions, engine: 'ebooks', load: toKindle },
  { source: 'azw3', targets: ['mobi'], extension: true, costing, options: kindleOptions, engine: 'ebooks', load: toKindle },
  { source: 'mobi', targets: ['azw3'], extension: true, costing, options: kindleOptions, engine: 'ebooks', load: toKindle },

  // Text of books.
  { source: 'epub', targets: ['pdf'], extension: true, costing, options: typesetOptions, engine: 'typst', load: typeset },

  // Comics.
  { source: 'cbr', targets: ['epub', 'pdf'], likely: 'pdf', extension: true, costing, options: comicOptions, engine: 'pixels', load: comic },
  { source: 'cbr', targets: ['cbz'], extension: true, costing, engine: 'archives', load: async () => (await comic()).repacked },
  { source: 'cbz', targets: ['epub', 'pdf'], likely: 'pdf', extension: true, costing, options: comicOptions, engine: 'pixels', load: comic },
  { source: 'epub', targets: ['cbz'], extension: true, costing, engine: 'ebooks', load: async () => (await comic()).ofBook },
  { source: 'pdf', targets: ['cbz'], extension: true, costing: perPage(10), options: pdfComicOptions, engine: 'pdf', measure, load: async () => (await comic()).ofPdf, seconds: (_minutes, pages) => 300 + pages },
])

/** The text of books that are read as EPUB first. */
const texts = (['azw3', 'fb2', 'mobi'] as const).flatMap(source =>
  // biome-ignore format: a table
  defineConverters('ebooks', [
    { source, targets: ['docx'], extension: true, costing, options: bookDocumentOptions, engine: 'ebooks', load: toWord },
    { source, targets: ['pdf'], extension: true, costing, options: typesetOptions, engine: 'typst', load: typeset },
  ]),
)

const books = (['epub', 'azw3', 'fb2', 'mobi'] as const).map(source => ({
  source,
  costing,
  options: webTextOptions,
  engine: 'markup' as const,
  others: ['docx', 'epub'] as const,
}))

export default [...rows, ...texts, ...textConverters('ebooks', books, text)]
