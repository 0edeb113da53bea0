/** What is said of the text of PDF files that becomes a document. */
export const layout = {
  'layout.pages_left_out':
    '{count, plural, one {Page {pages} is damaged and was left out.} other {The pages {pages} are damaged and were left out.}}',
  'layout.pages_not_recognised':
    '{count, plural, one {Page {pages} is a picture without text, which was not recognised.} other {The pages {pages} are pictures without text, which was not recognised.}}',
  'layout.text_unreadable':
    '{count, plural, one {On page {pages}, the file does not say which letters its text consists of.} other {On the pages {pages}, the file does not say which letters their text consists of.}}',
  'layout.no_text': 'The PDF has no text, nor pictures that could be kept.',
} as const
