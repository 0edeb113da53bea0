import { blockElements } from '../../../../common/html-elements.ts'

/** Elements that get a number (`aid`) as in kindlegen, by which fragments and reading positions refer to them. */
export const numbered: ReadonlySet<string> = new Set([
  ...blockElements,
  ...'a abbr b bdo cite code dfn em i img ins kbd q ruby samp small span strong sub sup u var'.split(' '),
])

/** Elements that are removed with their content. */
export const dropped: ReadonlySet<string> = new Set([
  'script',
  'base',
  'source',
  'track',
  'template',
  'param',
])

/** Elements that are removed while their content is kept. */
export const unwrapped: ReadonlySet<string> = new Set(['picture', 'noscript', 'iframe', 'embed', 'canvas'])
