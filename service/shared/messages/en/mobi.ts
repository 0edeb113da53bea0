/** Messages about Mobipocket and Kindle books. */
export const mobi = {
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
