import { defineConverters, fixed, perMegabyte, perPage } from '../../catalogue/converter.ts'
import { readers as pictures } from '../images/index.ts'
import { imageOptions } from '../images/options.ts'
import { statementOptions } from './bank-statement/options.ts'
import { dataOptions, tablePdfOptions } from './data/options.ts'
import { mailOptions } from './mail/options.ts'
import {
  officePictureOptions,
  plainTextOptions,
  saveOptions,
  sheetOptions,
  slideOptions,
  textOptions,
} from './office/options.ts'
import {
  encoding,
  pdfAOptions,
  pdfPictureOptions,
  pdfSlideOptions,
  pdfTextOptions,
  picturePdfAOptions,
  pictureTextOptions,
} from './options.ts'
import { extractOptions } from './pdf/extract-options.ts'
import { joinOptions } from './pdf/join-options.ts'
import { pdfToolOptions } from './pdf/tool-options.ts'
import { textConverters, textSources } from './text/rows.ts'
import { typesetOptions } from './typeset/options.ts'

const costing = perMegabyte(5)
const pageOptions = (target: string) => ({ ...textOptions(target), encoding })
const plainPageOptions = (target: string) => ({ ...plainTextOptions(target), encoding })
const perSlide = perPage(5, { unit: 'slides' })
const raster = () => import('../images/raster/work.ts')
const pdfText = () => import('./pdf/text.ts')
const pdfPictures = () => import('./pdf/pages.ts')
const office = () => import('./office/work.ts')
const save = () => import('./office/save.ts')
const iwork = () => import('./iwork/work.ts')
const data = () => import('./data/work.ts')
const pdfTables = () => import('./pdf/tables/work.ts')
const typeset = () => import('./typeset/work.ts')
const byWord = () => import('./text/office.ts')
const officePictures = () => import('./office/pictures.ts')
/** Counts the slides of a presentation. */
const slides = () => import('./office/measure.ts')
/** Counts the pages of a PDF. */
const measure = () => import('./pdf/measure.ts')

/** Values take ten times as much memory as their text. */
const dataLimits = { bytes: 100_000_000 }

/** The usual time limit of documents, plus seconds for each page. */
const ofPages = (each: number) => (_minutes: number, pages: number) => 300 + each * pages

/** A searchable PDF/A is the conversion to PDF/A with text recognition on by default. */
const searchable = { key: 'pdf-ocr', target: 'pdfa', options: { ocr: { enabled: true } } }

// biome-ignore format: a table
const rows = defineConverters('documents', [
  { source: 'bank-statement', targets: ['xlsx'], names: { xlsx: 'excel' }, targetKeys: { xlsx: 'bank-statement-excel' }, costing: perPage(5, { baseCost: 2 }), options: statementOptions, engine: 'pdf', measure, load: () => import('./bank-statement/work.ts'), seconds: ofPages(6) },
  { source: 'doc', targets: ['pdf', 'pdfa'], likely: 'pdf', costing, options: textOptions, engine: 'office', load: office },
  { source: 'docx', targets: ['pdf', 'pdfa'], likely: 'pdf', costing, options: textOptions, engine: 'office', load: office },
  { source: 'jpg', targets: ['pdf'], costing: fixed(1), options: imageOptions, engine: 'pixels', load: raster },
  { source: 'md', targets: ['pdf'], likely: 'pdf', costing: fixed(1), options: typesetOptions, engine: 'typst', load: typeset },
  { source: 'pdf', targets: ['docx', 'md'], likely: 'docx', costing: perPage(5), options: pdfTextOptions, engine: 'pdf', measure, load: pdfText, seconds: ofPages(6) },
  { source: 'pdf', targets: ['jpg', 'png'], costing: perPage(10), options: pdfPictureOptions, engine: 'pdf', measure, load: pdfPictures, seconds: ofPages(1) },
  { source: 'pdf', targets: ['pdfa'], costing: perPage(5), options: pdfAOptions, presetAliases: [searchable], engine: 'pdf', measure, load: () => import('./pdf/pdfa.ts'), seconds: ofPages(6) },
  { source: 'png', targets: ['pdf'], costing: fixed(1), options: imageOptions, engine: 'pixels', load: raster },
  { source: 'pptx', targets: ['jpg', 'png'], costing: perSlide, options: officePictureOptions, engine: 'office', measure: slides, load: officePictures },
  { source: 'pptx', targets: ['pdf', 'pdfa'], likely: 'pdf', costing: perSlide, options: slideOptions, engine: 'office', measure: slides, load: office },
  { source: 'rtf', targets: ['pdf'], likely: 'pdf', costing, options: textOptions, engine: 'office', load: office },
  { source: 'word', targets: ['jpg', 'png'], costing, options: officePictureOptions, engine: 'office', load: officePictures },
  { source: 'word', targets: ['pdf', 'pdfa'], costing, options: textOptions, engine: 'office', load: office },
  { source: 'xlsx', targets: ['pdf', 'pdfa'], likely: 'pdf', costing, options: sheetOptions, engine: 'office', load: office },

  // OpenDocument and older Office files, and the ways between them.
  { source: 'doc', targets: ['docx', 'odt', 'rtf'], extension: true, costing, options: saveOptions, engine: 'office', load: save },
  { source: 'docx', targets: ['doc', 'odt', 'rtf'], extension: true, costing, options: saveOptions, engine: 'office', load: save },
  { source: 'html', targets: ['docx'], extension: true, costing, options: { encoding }, engine: 'markup', load: () => import('./text/page.ts') },
  { source: 'html', targets: ['odt', 'rtf'], extension: true, costing, options: { encoding }, engine: 'office', load: byWord },
  { source: 'html', targets: ['pdf'], likely: 'pdf', extension: true, costing, options: pageOptions, engine: 'office', load: () => import('./typeset/page.ts') },
  { source: 'odg', targets: ['pdf', 'pdfa'], likely: 'pdf', extension: true, costing, options: textOptions, engine: 'office', load: office },
  { source: 'odp', targets: ['ppt', 'pptx'], extension: true, costing, options: saveOptions, engine: 'office', load: save },
  { source: 'odp', targets: ['pdf', 'pdfa'], likely: 'pdf', extension: true, costing, options: slideOptions, engine: 'office', load: office },
  { source: 'ods', targets: ['xls', 'xlsx'], extension: true, costing, options: saveOptions, engine: 'office', load: save },
  { source: 'ods', targets: ['pdf', 'pdfa'], likely: 'pdf', extension: true, costing, options: sheetOptions, engine: 'office', load: office },
  { source: 'odt', targets: ['doc', 'docx', 'rtf'], extension: true, costing, options: saveOptions, engine: 'office', load: save },
  { source: 'odt', targets: ['pdf', 'pdfa'], likely: 'pdf', extension: true, costing, options: textOptions, engine: 'office', load: office },
  { source: 'ppt', targets: ['odp', 'pptx'], extension: true, costing, options: saveOptions, engine: 'office', load: save },
  { source: 'ppt', targets: ['pdf', 'pdfa'], likely: 'pdf', extension: true, costing, options: slideOptions, engine: 'office', load: office },
  { source: 'pptx', targets: ['odp', 'ppt'], extension: true, costing: perSlide, options: saveOptions, engine: 'office', measure: slides, load: save },
  { source: 'rtf', targets: ['doc', 'docx', 'odt'], extension: true, costing, options: {}, engine: 'office', load: save },
  { source: 'rtf', targets: ['pdfa'], extension: true, costing, options: textOptions, engine: 'office', load: office },
  { source: 'txt', targets: ['odt', 'rtf'], extension: true, costing, options: { encoding }, engine: 'office', load: byWord },
  { source: 'txt', targets: ['pdf'], likely: 'pdf', extension: true, costing, options: plainPageOptions, engine: 'office', load: office },
  { source: 'xls', targets: ['ods', 'xlsx'], extension: true, costing, options: saveOptions, engine: 'office', load: save },
  { source: 'xls', targets: ['pdf', 'pdfa'], likely: 'pdf', extension: true, costing, options: sheetOptions, engine: 'office', load: office },
  { source: 'xlsx', targets: ['ods', 'xls'], extension: true, costing, options: saveOptions, engine: 'office', load: save },

  // Pages of them as pictures, SVG and slides.
  { source: 'pdf', targets: ['svg'], extension: true, costing: perPage(10), options: pdfSlideOptions, engine: 'typst', measure, load: () => import('./pdf/svg.ts'), seconds: ofPages(6) },
  { source: 'pdf', targets: ['tiff', 'webp'], extension: true, costing: perPage(10), options: pdfPictureOptions, engine: 'pdf', measure, load: pdfPictures, seconds: ofPages(2) },
  { source: 'pdf', targets: ['odp', 'pptx'], extension: true, costing: perPage(5), options: pdfSlideOptions, engine: 'office', measure, load: () => import('./pdf/slides.ts'), seconds: ofPages(6) },

  // Apple's documents, of which only the preview can be read.
  { source: 'key', targets: ['pdf', 'jpg', 'png'], likely: 'pdf', extension: true, costing: fixed(1), options: imageOptions, engine: 'pixels', load: iwork },
  { source: 'numbers', targets: ['pdf', 'jpg', 'png'], likely: 'pdf', extension: true, costing: fixed(1), options: imageOptions, engine: 'pixels', load: iwork },
  { source: 'pages', targets: ['pdf', 'jpg', 'png'], likely: 'pdf', extension: true, costing: fixed(1), options: imageOptions, engine: 'pixels', load: iwork },

  // Tables and other data, calendars and contacts.
  { source: 'csv', targets: ['xlsx', 'json', 'yaml', 'ics', 'vcf'], likely: 'xlsx', extension: true, costing, options: dataOptions('csv'), engine: 'data', limits: dataLimits, load: data },
  { source: 'csv', targets: ['ods'], extension: true, costing, options: dataOptions('csv'), engine: 'office', limits: dataLimits, load: data },
  { source: 'csv', targets: ['pdf'], extension: true, costing, options: tablePdfOptions('csv'), engine: 'office', limits: dataLimits, load: async () => (await data()).ofPages },
  { source: 'json', targets: ['pdf'], extension: true, costing, options: tablePdfOptions('json'), engine: 'office', limits: dataLimits, load: async () => (await data()).ofPages },
  { source: 'json', targets: ['csv', 'xlsx', 'yaml', 'ics', 'vcf'], likely: 'csv', extension: true, costing, options: dataOptions('json'), engine: 'data', limits: dataLimits, load: data },
  { source: 'json', targets: ['ods'], extension: true, costing, options: dataOptions('json'), engine: 'office', limits: dataLimits, load: data },
  { source: 'ods', targets: ['csv', 'json', 'yaml'], extension: true, costing, options: dataOptions('ods'), engine: 'office', limits: dataLimits, load: data },
  { source: 'pdf', targets: ['xlsx', 'csv', 'json'], extension: true, costing: perPage(5), options: dataOptions('pdf'), engine: 'pdf', measure, load: pdfTables, seconds: ofPages(6) },
  { source: 'pdf', targets: ['ods'], extension: true, costing: perPage(5), options: dataOptions('pdf'), engine: 'office', measure, load: pdfTables, seconds: ofPages(6) },
  { source: 'xls', targets: ['csv', 'json', 'yaml'], extension: true, costing, options: dataOptions('xls'), engine: 'office', limits: dataLimits, load: data },
  { source: 'xlsx', targets: ['csv', 'json', 'yaml', 'ics', 'vcf'], extension: true, costing, options: dataOptions('xlsx'), engine: 'data', limits: dataLimits, load: data },
  { source: 'ics', targets: ['csv', 'json', 'xlsx', 'yaml'], likely: 'csv', extension: true, costing, options: dataOptions('ics'), engine: 'data', limits: dataLimits, load: data },
  { source: 'vcf', targets: ['csv', 'json', 'xlsx', 'yaml'], likely: 'csv', extension: true, costing, options: dataOptions('vcf'), engine: 'data', limits: dataLimits, load: data },
  { source: 'yaml', targets: ['json', 'csv', 'xlsx'], likely: 'json', extension: true, costing, options: dataOptions('yaml'), engine: 'data', limits: dataLimits, load: data },
  { source: 'yaml', targets: ['ods'], extension: true, costing, options: dataOptions('yaml'), engine: 'office', limits: dataLimits, load: data },

  // Web pages and text.
  { source: 'md', targets: ['odt', 'rtf'], extension: true, costing: fixed(1), options: { encoding }, engine: 'office', load: byWord },
  { source: 'pdf', targets: ['odt', 'rtf'], extension: true, costing: perPage(5), options: pdfTextOptions, engine: 'office', measure, load: pdfText, seconds: ofPages(6) },
  { source: 'pdf', targets: ['html', 'txt'], extension: true, costing: perPage(5), options: pdfTextOptions, engine: 'pdf', measure, load: pdfText, seconds: ofPages(6) },

  // One PDF of several files.
  { source: 'files', targets: ['pdf'], likely: 'pdf', extension: true, costing, options: joinOptions, engine: 'office', load: () => import('./pdf/join.ts'), seconds: 1800 },

  // Pictures and attached files of a PDF.
  { source: 'pdf', targets: ['zip'], extension: true, costing: perPage(5), options: extractOptions, engine: 'pdf', measure, load: () => import('./pdf/extract.ts'), seconds: ofPages(6) },

  // Smaller, rearranged or protected PDF.
  { source: 'pdf', targets: ['pdf'], extension: true, costing, options: pdfToolOptions, engine: 'pdf-tools', load: () => import('./pdf/tools.ts'), part: () => import('./pdf/tool-parts.ts'), seconds: ofPages(6) },
])

/** Pictures are scanned pages, whose text can be read; those that are drawn by commands hold it as text. */
const ofPicture = () => import('./pdf/of-picture.ts')
const scanned = (Object.keys(pictures) as (keyof typeof pictures)[]).filter(
  source => source !== 'emf' && source !== 'wmf',
)
const pagesOfText = scanned.flatMap(source =>
  defineConverters('documents', [
    // biome-ignore format: a table
    { source, targets: ['docx', 'html', 'md', 'txt'], extension: true, costing, options: pictureTextOptions, engine: 'pdf', load: ofPicture, seconds: 1800 },
    // biome-ignore format: a table
    { source, targets: ['pdfa'], extension: true, costing, options: picturePdfAOptions, presetAliases: [searchable], engine: 'pdf', load: async () => (await ofPicture()).archived, seconds: 1800 },
  ]),
)

const pagesOfOffice = (['odg', 'odp', 'ods', 'odt', 'ppt', 'rtf', 'xls', 'xlsx'] as const).flatMap(source =>
  defineConverters('documents', [
    // biome-ignore format: a table
    { source, targets: ['jpg', 'png'], extension: true, costing, options: officePictureOptions, engine: 'office', load: officePictures },
  ]),
)

const typesetTexts = (['ipynb', 'org', 'rst', 'tex', 'textpack'] as const).flatMap(source =>
  defineConverters('documents', [
    // biome-ignore format: a table
    { source, targets: ['pdf'], extension: true, costing, options: typesetOptions, engine: 'typst', load: typeset },
  ]),
)

/** Tables as text documents. */
const textsOfTables = (['csv', 'ics', 'json', 'ods', 'vcf', 'xls', 'xlsx', 'yaml'] as const).flatMap(source =>
  defineConverters('documents', [
    // biome-ignore format: a table
    { source, targets: ['docx', 'html', 'md', 'txt', 'adoc', 'org', 'rst', 'tex'], extension: true, costing, options: dataOptions(source), engine: /^(?:ods|xls)$/.test(source) ? 'office' : 'data', limits: dataLimits, load: data },
  ]),
)

/** E-mails, and what is attached to them, which may be what LibreOffice reads. */
const mail = () => import('./mail/work.ts')
const mails = (['eml', 'mbox', 'msg'] as const).flatMap(source =>
  defineConverters('documents', [
    // biome-ignore format: a table
    { source, targets: ['pdf'], likely: 'pdf', extension: true, costing, options: mailOptions, engine: 'office', load: mail },
    // biome-ignore format: a table
    { source, targets: ['zip'], extension: true, costing, engine: 'markup', load: async () => (await mail()).attached },
  ]),
)

export default [
  ...rows,
  ...pagesOfOffice,
  ...mails,
  ...typesetTexts,
  ...textsOfTables,
  ...pagesOfText,
  ...textConverters('documents', textSources, () => import('./text/work.ts')),
]
