/** Messages about presets. */
export const presets = {
  'presets.not_found': 'There is no such preset.',
  'presets.too_many': 'There can be at most {limit} presets of your own. Delete some first.',
  'presets.no_such_pair': 'The preset turns {source} into {target}, which is no conversion of this version.',
} as const
