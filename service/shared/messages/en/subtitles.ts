/** Messages about subtitles as files, and out of videos. */
export const subtitles = {
  'subtitles.none_in_video':
    'The video has no subtitles. To write down what is spoken in it, choose a transcript instead.',
  'subtitles.pictures':
    'The subtitles of the video are pictures ({kinds}), as on discs; only those that are text can become a file.',
  'subtitles.no_such_track':
    'The video has no track of text subtitles "{wanted}". Choose one of: {tracks}; or all.',
  'subtitles.empty_track': 'There is nothing in the chosen track of subtitles. Choose another one.',
  'subtitles.unreadable':
    'No subtitles could be read from the file. Check that its text has times, and that it opens in a player.',
} as const
