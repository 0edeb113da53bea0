/** What is said of text recognition. */
export const ocr = {
  'ocr.language_missing':
    'There is no data for recognising text in the language "{language}". Put {language}.traineddata into the folder "tessdata" beside the speech models, or choose eng.',
  'ocr.nothing_found': 'No text was found on these scanned pages: {pages}.',
} as const
