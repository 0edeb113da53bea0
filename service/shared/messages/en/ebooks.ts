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
} as const
