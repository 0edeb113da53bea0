/** Messages about files that are to become smaller. */
export const same = {
  'same.kept': 'The file could not be made smaller without losing quality, so it was kept as it is.',
  'same.kept_pixels':
    'The file could not be made smaller without losing quality, so it was kept, and only camera data were removed.',
  'same.over_size':
    'The file has {kilobytes} KB and could not be made smaller; {most} KB were asked for. Choose a larger size or a part of it.',
} as const
