/** Messages about books that become documents. */
export const books = {
  'books.pictures_lost':
    'Pictures left out because they cannot be read, or are too large together with the others: {count}.',
  'books.formulas_lost': 'Formulas that became text because Word cannot show them as formulas: {count}.',
  'books.media_lost':
    'Recordings, films and embedded pages left out because a Word document cannot hold them: {count}.',
  'books.links_lost': 'Links that became plain text because their target is not in the book: {count}.',
} as const
