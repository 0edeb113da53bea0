/** Messages about books that become documents. */
export const books = {
  'books.pictures_lost':
    'Pictures that cannot be read, or are too large together with the others, and were left out: {count}.',
  'books.formulas_lost': 'Formulas that Word cannot show as such, and that are text instead: {count}.',
  'books.media_lost':
    'Recordings, films and embedded pages that a Word document cannot hold, and that were left out: {count}.',
  'books.links_lost': 'Links that lead to nothing in the book, and are plain text: {count}.',
} as const
