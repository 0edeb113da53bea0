/** Messages about text, tables and other data. */
export const data = {
  'data.invalid': 'The file breaks the rules of its format, first in line {line}. Check it in an editor.',
  'data.no_tables':
    'No table was found in the PDF. Convert it to Word or plain text instead, or turn on text recognition if its pages are scans.',
  'data.empty': 'The file has no values in it.',
  'data.stray_quotes':
    'A quotation mark in the file is never closed, so quotation marks were read as ordinary characters.',
  'text.encoding':
    'The file does not say its encoding and was read as {encoding}, which is a guess. If letters are wrong, choose another one under “Encoding of text”.',
  'data.uncalculated':
    'Formulas left empty because the file has no results for them: {count}. Open and save it in a spreadsheet program first.',
  'data.no_such_sheet': 'There is no such sheet. The sheets are: {sheets}.',
  'data.sheet_too_large':
    'A sheet holds {rows} rows and {columns} columns at most, and the file has more. Split it first.',
  'data.reaches_too_far':
    'A table reaches over {columns} columns and {rows} rows, which is too many cells, though most may be empty. Delete those far away from the others.',
  'data.multiplied':
    'The file repeats parts of itself until it has more than {values} values, as files do that are made to do harm. Write the parts out.',
  'data.media_left': 'Pictures and sounds of contacts left out, since a table holds text alone: {count}.',
  'data.columns_left': 'Left out, since the result has no place for it: {columns}.',
  'data.no_such_columns':
    'No column has a name that calendars or contacts know. Name them as Google or Outlook do: {names}.',
  'data.cells_cut':
    'Cells cut off because they have more than 32767 characters, the most that a sheet can hold: {count}.',
} as const
