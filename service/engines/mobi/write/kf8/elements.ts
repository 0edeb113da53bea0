/** Elements between which a body is cut rather than elsewhere. */
export const blocks: ReadonlySet<string> = new Set(
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)

/** Elements that get a number (`aid`), by which fragments and readers' positions name them, as kindlegen gives it. */
export const numbered: ReadonlySet<string> = new Set([
  ...blocks,
  ...'a abbr b bdo caption cite code dfn em i img ins kbd q ruby samp small span strong sub sup u var'.split(
    ' ',
  ),
])

/** Elements that are left out together with what is in them. */
export const dropped: ReadonlySet<string> = new Set([
  'script',
  'base',
  'source',
  'track',
  'template',
  'param',
])

/** Elements that are left out while what is in them is kept. */
export const unwrapped: ReadonlySet<string> = new Set(['picture', 'noscript', 'iframe', 'embed', 'canvas'])

/** Elements of XHTML without an end tag. */
export const empty: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)
