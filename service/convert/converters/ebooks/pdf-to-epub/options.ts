import { flag, type OptionsOf } from '../../../catalogue/options.ts'
import { password, pdfOptions } from '../../documents/options.ts'
import { pages } from '../../page-options.ts'

/** Options of a PDF converted to a book. */
export const pdfBookOptions = {
  pages,
  cover: flag('Cover', { description: 'The first page as the picture of the cover.', default: true }),
  ...pdfOptions,
  password,
}

export type PdfBookOptions = OptionsOf<typeof pdfBookOptions>
