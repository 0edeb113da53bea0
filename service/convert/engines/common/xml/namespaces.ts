export const XHTML = 'http://www.w3.org/1999/xhtml'
export const SVG = 'http://www.w3.org/2000/svg'
export const MATHML = 'http://www.w3.org/1998/Math/MathML'
export const EPUB = 'http://www.idpf.org/2007/ops'
export const XLINK = 'http://www.w3.org/1999/xlink'
const SSML = 'http://www.w3.org/2001/10/synthesis'

const PACKAGE = 'http://www.idpf.org/2007/opf'
const NCX = 'http://www.daisy.org/z3986/2005/ncx/'
const CONTAINER = 'urn:oasis:names:tc:opendocument:xmlns:container'
const DUBLIN_CORE = 'http://purl.org/dc/elements/1.1/'
const ENCRYPTION = 'http://www.w3.org/2001/04/xmlenc#'
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'

/** The prefix of each namespace in trees; empty for those whose elements have no prefix. */
export const prefixes: ReadonlyMap<string, string> = new Map([
  [XHTML, ''],
  [SVG, ''],
  [MATHML, ''],
  [EPUB, 'epub'],
  [XLINK, 'xlink'],
  [SSML, 'ssml'],
  [PACKAGE, ''],
  [NCX, ''],
  [CONTAINER, ''],
  [DUBLIN_CORE, 'dc'],
  [ENCRYPTION, 'enc'],
  [SIGNATURE, 'ds'],
])

export const namespaceOf: ReadonlyMap<string, string> = new Map(
  [...prefixes].filter(([, prefix]) => prefix !== '').map(([namespace, prefix]) => [prefix, namespace]),
)
