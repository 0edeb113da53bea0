/** What is told of Markdown and of Word documents that become text. */
export const markup = {
  'markdown.not_text': 'This is not a text file, so it cannot be read as Markdown.',
  'markdown.empty': 'The file has no text in it.',
  'markdown.too_large': 'The text is larger than {megabytes} MB. Split it first.',
  'markdown.cannot_be_set':
    'The document is nested or shaped in a way that cannot be set as PDF. Simplify it.',
  'markdown.pictures_left_out':
    '{count, plural, one {A picture is not part of the file and was} other {# pictures are not part of the file and were}} replaced by a note. Only pictures that are embedded in the text (data: addresses) can be shown.',
  'markdown.letters_missing':
    'No font on this computer has {count, plural, one {one of the letters} other {# of the letters}}. A sign stands in its place.',
} as const
