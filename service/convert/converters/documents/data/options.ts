/** Options of tables and other data. */
import { choice, flag, type OptionsOf, only, text } from '../../../catalogue/options.ts'
import { pages } from '../../page-options.ts'
import { plainTableOptions } from '../office/options.ts'
import { encoding, password, pdfOptions } from '../options.ts'

const delimiters = { comma: 'Comma', semicolon: 'Semicolon', tab: 'Tab', pipe: 'Vertical line' }

const isWorkbook = (format: string) => ['xlsx', 'xls', 'ods'].includes(format)
const isText = (format: string) => format === 'json' || format === 'yaml'

/** Texts that show a number as it was given, and no column aligned to the right. */
const isGiven = (format: string) => ['adoc', 'ics', 'org', 'rst', 'tex', 'txt', 'vcf'].includes(format)
/** Lists of events and of people, whose values are all text. */
const isList = (format: string) => format === 'ics' || format === 'vcf'

/** Options of one source, by target. */
export const dataOptions = (source: string) => (target: string) =>
  only({
    delimiter:
      source === 'csv'
        ? choice('Separator', { auto: 'Found in the file', ...delimiters }, { default: 'auto', 'x-order': 1 })
        : target === 'csv' && choice('Separator', delimiters, { default: 'comma', 'x-order': 1 }),
    decimals:
      ((source === 'csv' && !isGiven(target)) || (target === 'csv' && !isList(source))) &&
      choice('Decimals', { point: '1.50', comma: '1,50' }, { default: 'point', 'x-order': 2 }),
    values:
      ((source === 'csv' && !isGiven(target)) || source === 'pdf' || isWorkbook(target)) &&
      choice(
        'Numbers and dates',
        { recognised: 'Recognise', text: 'Leave as text' },
        {
          description:
            source === 'pdf'
              ? '1,204.32 and (3.4) become numbers, 12 % a share, and dates too, as the column writes them.'
              : 'Only if they can be written back unchanged: 007 and numbers of 16 digits stay text.',
          default: 'recognised',
          'x-order': 3,
        },
      ),
    header:
      !isText(source) &&
      isText(target) &&
      flag('The first row names the columns', {
        description: 'Each further row becomes an object. Otherwise rows are lists.',
        default: true,
        'x-order': 4,
      }),
    sheet:
      isWorkbook(source) &&
      text('Sheet', {
        description: 'Its name, or its number from 1 on. By default all of them.',
        maxLength: 31,
        'x-example': '1',
        'x-order': 3,
        'x-per-file': true,
      }),
    byteOrderMark:
      target === 'csv' &&
      flag('Byte order mark', {
        description: 'Excel needs it for letters beyond ASCII; some programs stumble over it.',
        default: true,
      }),
    columns:
      source === 'vcf' &&
      choice(
        'Names of columns',
        { google: 'Google', outlook: 'Outlook' },
        { default: 'google', 'x-order': 1 },
      ),
    encoding: (source === 'csv' || isList(source)) && encoding,
    pages: source === 'pdf' && pages,
    ocr: source === 'pdf' && pdfOptions.ocr,
    password: (source === 'pdf' || isWorkbook(source)) && password,
  })

/** Options of a table, in CSV or JSON, whose pages become a PDF. */
export const tablePdfOptions = (source: 'csv' | 'json') => (target: string) => ({
  ...dataOptions(source)('xlsx'),
  ...plainTableOptions(target),
})

export type TablePdfOptions = OptionsOf<ReturnType<ReturnType<typeof tablePdfOptions>>>
export type DataOptions = OptionsOf<ReturnType<ReturnType<typeof dataOptions>>>
