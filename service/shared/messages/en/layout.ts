/** Messages about turning the text of PDF files into documents. */
export const layout = {
  'layout.pages_left_out': 'Damaged pages that were left out: {pages}.',
  'layout.pages_not_recognised': 'Pages that are pictures and whose text was not recognised: {pages}.',
  'layout.text_unreadable':
    'Text on these pages could not be read, because the file stores only its appearance: {pages}.',
  'layout.pictures_left_out':
    'Pictures left out because they are damaged, or too large together with the others: {count}.',
  'layout.files_left_out':
    'Files attached to this PDF are not in the result: {names}. Convert the PDF to ZIP to take them out.',
  'layout.no_text': 'The PDF has no text, and no pictures either.',
} as const
