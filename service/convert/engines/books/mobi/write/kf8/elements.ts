/** Elements between which a body is preferably split. */
export const blocks: ReadonlySet<string> = new Set(
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)

/** Elements that get a number (`aid`) as in kindlegen, by which fragments and reading positions refer to them. */
export const numbered: ReadonlySet<string> = new Set([
  ...blocks,
  ...'a abbr b bdo caption cite code dfn em i img ins kbd q ruby samp small span strong sub sup u var'.split(
    ' ',
  ),
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

/** XHTML elements without an end tag. */
export const empty: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)
