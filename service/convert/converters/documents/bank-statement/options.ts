import { choice } from '../../../catalogue/options.ts'
import { password, pdfOptions } from '../options.ts'

/** Options of a bank statement. */
export const statementOptions = {
  format: choice(
    'Format',
    { xlsx: 'Excel workbook with checks and summary', csv: 'Comma-separated values, transactions only' },
    { default: 'xlsx' },
  ),
  ...pdfOptions,
  password,
}
