/** Messages about files that become smaller ones of the same format. */
export const same = {
  'same.kept': 'The file could not be made smaller without losing quality, so it was kept as it is.',
} as const
