/** Messages about books written for Kindle. */
export const kindle = {
  'kindle.too_many_records':
    'The book is larger than a Kindle file can hold, which is 65,535 parts of text and pictures.',
  'kindle.empty': 'The book has no text and no pictures that could be converted.',
  'kindle.resources_left_out':
    'Kindle has no place for {count, plural, one {# file} other {# files}} of the book, such as pictures that cannot be read, which had to be left out. The first is {name}.',
  'kindle.documents_left_out':
    'Kindle has no place for {count, plural, one {# chapter} other {# chapters}} of the book that are neither text nor picture, which had to be left out. The first is {name}.',
} as const
