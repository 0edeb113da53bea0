import { type XmlElement, XmlError } from '../../formats/xml.ts'
import { withoutControls } from './characters.ts'
import { withOwnEntities } from './entities.ts'
import { understood, prefixes as usualPrefixes, XHTML } from './namespaces.ts'
import { XmlScanner } from './scan.ts'

export interface XmlTree {
  root: XmlElement
  /** False if something had to be repaired, or an entity of the document itself was replaced. */
  isWellFormed: boolean
}

/** Maximum nesting of elements. */
export const MAX_DEPTH = 500

interface Scope {
  /** Namespaces by prefix; the empty prefix is the default namespace. */
  namespaces: ReadonlyMap<string, string>
  /** Namespace of the element itself. */
  namespace: string
}

/**
 * Reads XHTML, SVG or other XML of a book into a tree without comments. Elements of XHTML, SVG and MathML have no prefix,
 * whatever the file uses, and have `xmlns` where the namespace changes; attributes of EPUB and XLink get their usual prefix.
 * @param namespace of elements that do not declare one
 * @throws XmlError if tags do not match
 */
export function readTree(text: string, namespace = ''): XmlTree {
  const source = withOwnEntities(text)
  const scanner = new XmlScanner(source)
  const open: XmlElement[] = []
  const scopes: Scope[] = []
  const outermost: Scope = { namespaces: new Map([['', '']]), namespace: '' }
  let root: XmlElement | undefined
  /** Names of the open elements as written in the file. */
  const names: string[] = []
  while (scanner.next()) {
    switch (scanner.kind) {
      case 'text':
      case 'cdata': {
        const parent = open.at(-1)
        if (parent) parent.children.push(withoutControls(scanner.content()))
        else if (scanner.kind === 'cdata' || scanner.content().trim() !== '') {
          if (root) scanner.repairs++
          else throw new XmlError('text stands before the first element')
        }
        break
      }
      case 'start': {
        if (root && open.length === 0) throw new XmlError('there are two root elements')
        const { element, scope } = elementOf(scanner, scopes.at(-1) ?? outermost, root ? '' : namespace)
        if (root) open.at(-1)?.children.push(element)
        else root = element
        if (scanner.isEmpty) break
        if (open.length >= MAX_DEPTH) throw new XmlError('elements are nested too deeply')
        open.push(element)
        scopes.push(scope)
        names.push(scanner.name)
        break
      }
      case 'end':
        if (names.pop() !== scanner.name) throw new XmlError('an element ends that did not begin')
        open.pop()
        scopes.pop()
        break
      default:
    }
  }
  if (!root || open.length > 0) throw new XmlError('the document breaks off')
  return { root, isWellFormed: scanner.repairs === 0 && source === text }
}

function elementOf(
  scanner: XmlScanner,
  outer: Scope,
  fallback: string,
): { element: XmlElement; scope: Scope } {
  const { attributes: found } = scanner
  let { namespaces } = outer
  for (let at = 0; at < found.length; at += 2) {
    const name = found[at]!
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
    const prefix = name === 'xmlns' ? '' : name.slice(6)
    if (namespaces.get(prefix) === found[at + 1]) continue
    namespaces = new Map(namespaces).set(prefix, found[at + 1]!)
  }
  if (fallback && !namespaces.get('')) {
    namespaces = new Map(namespaces).set('', fallback)
    if (!scanner.name.includes(':')) scanner.repairs++
  }
  const attributes: Record<string, string> = {}
  const { name, namespace } = elementName(scanner, namespaces)
  if (namespace !== outer.namespace && isPlain(namespace)) attributes.xmlns = namespace
  for (let at = 0; at < found.length; at += 2) {
    const key = attributeName(scanner, found[at]!, namespaces)
    if (key) attributes[key] = found[at + 1]!
  }
  const scope =
    namespaces === outer.namespaces && namespace === outer.namespace ? outer : { namespaces, namespace }
  return { element: { name, attributes, children: [] }, scope }
}

/** Namespaces whose elements are written without a prefix. */
const isPlain = (namespace: string) => namespace === XHTML || usualPrefixes.get(namespace) === ''

function elementName(scanner: XmlScanner, namespaces: ReadonlyMap<string, string>) {
  const raw = scanner.name
  const colon = raw.indexOf(':')
  const prefix = colon < 0 ? '' : raw.slice(0, colon)
  const namespace = namespaces.get(prefix)
  if (namespace === undefined) {
    scanner.repairs++
    if (understood.has(prefix)) return { name: raw, namespace: '' }
    return { name: 'span', namespace: namespaces.get('') ?? '' }
  }
  const usual = usualPrefixes.get(namespace)
  const local = raw.slice(colon + 1)
  let name = usual === undefined ? raw : usual === '' ? local : `${usual}:${local}`
  if (namespace === XHTML && /[A-Z]/.test(name)) {
    scanner.repairs++
    name = name.toLowerCase()
  }
  return { name, namespace }
}

/** The normalized name of an attribute, or none if it is to be dropped. */
function attributeName(
  scanner: XmlScanner,
  raw: string,
  namespaces: ReadonlyMap<string, string>,
): string | undefined {
  const colon = raw.indexOf(':')
  if (colon < 0) return raw === 'xmlns' ? undefined : raw
  const prefix = raw.slice(0, colon)
  if (prefix === 'xml') return raw
  const local = raw.slice(colon + 1)
  if (prefix === 'xmlns') {
    const namespace = namespaces.get(local) ?? ''
    if (isPlain(namespace) || namespace === '') return undefined
    return `xmlns:${usualPrefixes.get(namespace) ?? local}`
  }
  const namespace = namespaces.get(prefix)
  if (namespace === undefined) {
    scanner.repairs++
    return understood.has(prefix) ? raw : undefined
  }
  const usual = usualPrefixes.get(namespace)
  if (usual === undefined) return raw
  return usual === '' ? local : `${usual}:${local}`
}
