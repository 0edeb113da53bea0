export const XHTML = 'http://www.w3.org/1999/xhtml'
export const SVG = 'http://www.w3.org/2000/svg'
export const MATHML = 'http://www.w3.org/1998/Math/MathML'
export const EPUB = 'http://www.idpf.org/2007/ops'
const XLINK = 'http://www.w3.org/1999/xlink'
const SSML = 'http://www.w3.org/2001/10/synthesis'

/** The prefix that each namespace of books has in trees; none for those of elements. */
export const prefixes: ReadonlyMap<string, string> = new Map([
  [XHTML, ''],
  [SVG, ''],
  [MATHML, ''],
  [EPUB, 'epub'],
  [XLINK, 'xlink'],
  [SSML, 'ssml'],
])

export const namespaceOf: ReadonlyMap<string, string> = new Map(
  [...prefixes].filter(([, prefix]) => prefix !== '').map(([namespace, prefix]) => [prefix, namespace]),
)
