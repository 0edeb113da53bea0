import { flag, group } from '../../catalogue/options.ts'

/** Options of what a PDF becomes. */
export const pdfOptions = {
  ocr: group('Text recognition', {
    enabled: flag('Recognise the text of scanned pages', { default: false }),
  }),
}
