/** Messages about ebooks. */
export const ebooks = {
  'ebooks.not_a_book':
    'The file is a ZIP archive, but not an EPUB book: it has no package that describes one.',
  'ebooks.no_pictures':
    'The book has no pictures that could be the pages of a comic. Convert it to PDF instead.',
  'ebooks.text_left_out': 'The text of the book was left out: a comic has only pictures.',
  'ebooks.no_text': 'The book has no chapter that could be read.',
  'ebooks.protected':
    'The book is protected against copying. It can only be opened in the programs of the shop it comes from.',
  'ebooks.protected_by':
    'The book is protected by {scheme}. It can only be opened in the programs of the shop it comes from.',
  'ebooks.too_many_files': 'The book has more than {limit} files, which is more than this conversion allows.',
  'ebooks.too_large_unpacked':
    'Unpacked, the book takes more than {megabytes} MB, or so much more than packed that it cannot be meant for reading.',
  'ebooks.files_missing':
    'The book refers to {count, plural, one {# file} other {# files}} that it does not contain.',
  'ebooks.damaged_left_out':
    '{count, plural, one {A picture or other file of the book is damaged and was} other {# pictures or other files of the book are damaged and were}} left out, the first "{name}".',
  'ebooks.narration_left_out': 'The narration no longer follows the text: only EPUB can do that.',
  'ebooks.page_list_left_out':
    'The page numbers of the printed edition were left out: Kindle files of this kind have no place for them.',

  // Messages about books that become documents.
  'books.pictures_lost':
    'Pictures left out because they cannot be read, or are too large together with the others: {count}.',
  'books.formulas_lost': 'Formulas that became text because Word cannot show them as formulas: {count}.',
  'books.media_lost':
    'Recordings, films and embedded pages left out because a Word document cannot hold them: {count}.',
  'books.links_lost': 'Links that became plain text because their target is not in the book: {count}.',

  // Messages about books written for Kindle.
  'kindle.too_many_records':
    'The book is larger than a Kindle file can hold, which is 65,535 parts of text and pictures.',
  'kindle.empty': 'The book has no text and no pictures that could be converted.',
  'kindle.resources_left_out':
    'Kindle has no place for {count, plural, one {# file} other {# files}} of the book, such as pictures that cannot be read, which had to be left out. The first is {name}.',
  'kindle.documents_left_out':
    'Kindle has no place for {count, plural, one {# chapter} other {# chapters}} of the book that are neither text nor picture, which had to be left out. The first is {name}.',

  // Messages about Mobipocket and Kindle books.
  'mobi.topaz':
    'This is a Topaz book, an early Kindle format of scanned pages, which cannot be read. Get the book in another format.',
  'mobi.kfx': 'This is a KFX book, which cannot be read. Get the book as AZW3 or EPUB.',
  'mobi.print_replica':
    'This is a Print Replica: the pages of a PDF in a Kindle file, without a text that flows. Convert its PDF instead.',
  'mobi.dictionary':
    'This book is a dictionary. Its text is kept; looking words up by their inflected forms is not, as EPUB readers cannot.',
  'mobi.missing_resources':
    '{count, plural, one {# picture or other file that the book refers to is not in it and its place is empty.} other {# pictures or other files that the book refers to are not in it and their places are empty.}}',
} as const
