/** Messages about turning the text of PDF files into documents. */
export const layout = {
  'layout.pages_left_out': 'Pages that are damaged and were left out: {pages}.',
  'layout.pages_not_recognised': 'Pages that are pictures, whose text was not recognised: {pages}.',
  'layout.text_unreadable':
    'Text on these pages could not be read, because the file stores only its look: {pages}.',
  'layout.pictures_left_out':
    'Pictures that are damaged, or too large together with the others, and were left out: {count}.',
  'layout.no_text': 'The PDF has no text, and no pictures either.',
} as const
