/** Messages about text recognition. */
export const ocr = {
  'ocr.language_missing':
    'The data for recognising text in "{language}" are not here. Download them in the settings, under Conversions; for a language that is not listed there, put {language}.traineddata into the folder "tessdata" beside the speech models.',
  'ocr.nothing_found': 'No text was found on these scanned pages: {pages}.',
  'ocr.no_text': 'No text was found in the picture.',
} as const
