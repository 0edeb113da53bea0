/** Why recordings and videos are not converted, beyond the general reasons. */
export const recordings = {
  'recording.points_elsewhere':
    'The file is not a recording of the kind its name says; it may be a playlist that points to other files. Convert those files instead.',
  'recording.unknown_codec':
    'The file uses a codec that cannot be decoded. Convert it to a common format with the program that made it.',
  'recording.no_sound': 'No sound could be read from the file. Check that it plays elsewhere.',
  'recording.tags_not_written': 'The tags could not be written. Convert without them.',
} as const
