import { defineConverters, perMegabyte, perPage } from '../../catalogue/converter.ts'
import { bookDocumentOptions } from './epub-to-docx/options.ts'
import { kindleOptions } from './epub-to-kindle/options.ts'
import { pdfBookOptions } from './pdf-to-epub/options.ts'

const costing = perMegabyte(5)
const kindle = () => import('./kindle-to-epub/work.ts')

// biome-ignore format: a table
export default defineConverters('ebooks', [
  { source: 'azw3', targets: ['epub'], likely: 'epub', costing, engine: 'ebooks', load: kindle },
  { source: 'epub', targets: ['azw3', 'mobi'], likely: 'azw3', costing, options: kindleOptions, engine: 'ebooks', load: () => import('./epub-to-kindle/work.ts') },
  { source: 'epub', targets: ['docx'], costing, options: bookDocumentOptions, engine: 'ebooks', load: () => import('./epub-to-docx/work.ts') },
  { source: 'epub', targets: ['kepub'], costing, engine: 'ebooks', load: () => import('./epub-to-kepub/work.ts') },
  { source: 'mobi', targets: ['epub'], likely: 'epub', costing, engine: 'ebooks', load: kindle },
  { source: 'pdf', targets: ['epub'], costing: perPage(5), options: pdfBookOptions, engine: 'pdf', measure: () => import('../documents/pdf/measure.ts'), load: () => import('./pdf-to-epub/work.ts'), seconds: (_minutes, pages) => 300 + 6 * pages },
])
