/** Messages about tables and other data. */
export const data = {
  'data.invalid': 'The file is not what its format prescribes, first in line {line}. Check it in an editor.',
  'data.empty': 'The file has no values in it.',
  'data.stray_quotes':
    'A quotation mark in the file never ends. Quotation marks were therefore read like other letters.',
  'data.uncalculated':
    'Formulas without a result in the file, which stay empty: {count}. Open and save it in a spreadsheet program first.',
  'data.no_such_sheet': 'There is no such sheet. The sheets are: {sheets}.',
  'data.sheet_too_large':
    'A sheet holds {rows} rows and {columns} columns at most, and the file has more. Split it first.',
  'data.cells_cut':
    'Cells with more than 32767 letters, which is all that a sheet can hold, were cut off: {count}.',
} as const
