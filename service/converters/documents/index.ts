import { defineConverters, fixed, perMegabyte, perPage } from '../../catalogue/converter.ts'
import { imageOptions } from '../images/options.ts'
import { markdownOptions } from './md/options.ts'
import { pdfAOptions, pdfOptions, pdfPictureOptions } from './options.ts'

const costing = perMegabyte(5)
const raster = () => import('../images/raster/work.ts')
const pdfPictures = () => import('./pdf/pictures.ts')
/** Counts the pages of a PDF. */
const measure = () => import('./pdf/measure.ts')

/** A searchable PDF/A is the conversion to PDF/A with text recognition on by default. */
const searchable = { key: 'pdf-ocr', target: 'pdfa', options: { ocr: { enabled: true } } }

// biome-ignore format: a table
export default defineConverters('documents', [
  { source: 'bank-statement', targets: ['excel'], targetKeys: { excel: 'bank-statement-excel' }, costing: perPage(5, { baseCost: 2 }), engine: 'pdf', measure },
  { source: 'doc', targets: ['pdf', 'pdfa'], costing, engine: 'office' },
  { source: 'docx', targets: ['epub', 'md', 'pdf', 'pdfa'], costing, engine: 'office' },
  { source: 'jpg', targets: ['pdf'], costing: fixed(1), options: imageOptions, engine: 'pixels', load: raster },
  { source: 'md', targets: ['pdf'], costing: fixed(1), options: markdownOptions, engine: 'typst', load: () => import('./md/work.ts') },
  { source: 'pdf', targets: ['docx', 'md'], costing: perPage(5), options: pdfOptions, engine: 'pdf', measure },
  { source: 'pdf', targets: ['jpg', 'png'], costing: perPage(10), options: pdfPictureOptions, engine: 'pdf', measure, load: pdfPictures },
  { source: 'pdf', targets: ['pdfa'], costing: perPage(5), options: pdfAOptions, editions: [searchable], engine: 'pdf', measure, load: () => import('./pdf/pdfa.ts') },
  { source: 'png', targets: ['pdf'], costing: fixed(1), options: imageOptions, engine: 'pixels', load: raster },
  { source: 'pptx', targets: ['jpg', 'pdf', 'pdfa', 'png'], costing: perPage(5, { unit: 'slides' }), engine: 'office' },
  { source: 'rtf', targets: ['pdf'], costing, engine: 'office' },
  { source: 'word', targets: ['jpg', 'pdf', 'pdfa', 'png'], costing, engine: 'office' },
  { source: 'xlsx', targets: ['pdf', 'pdfa'], costing, engine: 'office' },
])
