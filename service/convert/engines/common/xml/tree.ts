import { JobFailure } from '../../../../shared/errors.ts'
import { decodeText } from '../text.ts'
import { withoutControls } from './characters.ts'
import { type XmlElement, XmlError } from './element.ts'
import { withOwnEntities } from './entities.ts'
import { prefixes as prefixesOfBooks, XHTML } from './namespaces.ts'
import { XmlScanner } from './scan.ts'

export interface XmlTree {
  root: XmlElement
  /** False if something had to be repaired, or an entity of the document itself was replaced. */
  isWellFormed: boolean
}

/** Maximum nesting of elements. */
export const MAX_DEPTH = 500

type Namespaces = ReadonlyMap<string, string>

interface Scope {
  /** Namespaces by prefix; the empty prefix is the default namespace. */
  namespaces: Namespaces
  /** Namespace of the element itself. */
  namespace: string
}

/** The root of a file of XML without which there is nothing to convert. @throws JobFailure corrupt_input, too_large */
export function soundRoot(bytes: Uint8Array, namespace?: string, prefixes?: Namespaces): XmlElement {
  try {
    return readTree(decodeText(bytes), namespace, prefixes).root
  } catch (cause) {
    throw cause instanceof XmlError ? new JobFailure('jobs.corrupt_input', undefined, { cause }) : cause
  }
}

/** The root of the tree of XML; undefined if it cannot be read. */
export function rootIn(...xml: Parameters<typeof readTree>): XmlElement | undefined {
  try {
    return readTree(...xml).root
  } catch (error) {
    if (error instanceof XmlError) return undefined
    throw error
  }
}

/**
 * Reads XML into a tree without comments. Known namespaces get their usual prefix, whatever the file uses. Elements
 * whose namespace usually has none, such as XHTML and SVG, have `xmlns` where the namespace changes.
 * @param namespace of elements that do not declare one
 * @param prefixes the usual prefixes by namespace, which are understood even if the file does not declare them
 * @throws XmlError if tags do not match; JobFailure too_large
 */
export function readTree(text: string, namespace = '', prefixes: Namespaces = prefixesOfBooks): XmlTree {
  const source = withOwnEntities(text)
  const scanner = new XmlScanner(source)
  /** With their names as written in the file. */
  const open: { element: XmlElement; scope: Scope; name: string }[] = []
  const outermost: Scope = { namespaces: new Map([['', '']]), namespace: '' }
  let root: XmlElement | undefined
  while (scanner.next()) {
    const { kind, name } = scanner
    const parent = open.at(-1)
    if (kind === 'text' || kind === 'cdata') {
      if (parent) parent.element.children.push(withoutControls(scanner.content()))
      else if (kind === 'cdata' || scanner.content().trim() !== '') {
        if (root) scanner.repairs++
        else throw new XmlError('text stands before the first element')
      }
    } else if (kind === 'start') {
      if (root && !parent) throw new XmlError('there are two root elements')
      const { element, scope } = elementOf(
        scanner,
        parent?.scope ?? outermost,
        root ? '' : namespace,
        prefixes,
      )
      parent?.element.children.push(element)
      root ??= element
      if (scanner.isEmpty) continue
      if (open.length >= MAX_DEPTH) throw new XmlError('elements are nested too deeply')
      open.push({ element, scope, name })
    } else if (kind === 'end' && open.pop()?.name !== name)
      throw new XmlError('an element ends that did not begin')
  }
  if (!root || open.length > 0) throw new XmlError('the document breaks off')
  return { root, isWellFormed: scanner.repairs === 0 && source === text }
}

function elementOf(
  scanner: XmlScanner,
  outer: Scope,
  fallback: string,
  prefixes: Namespaces,
): { element: XmlElement; scope: Scope } {
  let { namespaces } = outer
  for (const [name, value] of scanner.attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
    const prefix = name.slice(6)
    if (namespaces.get(prefix) !== value) namespaces = new Map(namespaces).set(prefix, value)
  }
  if (fallback && !namespaces.get('')) {
    namespaces = new Map(namespaces).set('', fallback)
    if (!scanner.name.includes(':')) scanner.repairs++
  }
  const attributes: Record<string, string> = {}
  const { name, namespace } = elementName(scanner, namespaces, prefixes)
  if (namespace !== outer.namespace && prefixes.get(namespace) === '') attributes.xmlns = namespace
  for (const [raw, value] of scanner.attributes) {
    const key = attributeName(scanner, raw, namespaces, prefixes)
    if (key) attributes[key] = value
  }
  const isSame = namespaces === outer.namespaces && namespace === outer.namespace
  return { element: { name, attributes, children: [] }, scope: isSame ? outer : { namespaces, namespace } }
}

const isUsual = (prefix: string, prefixes: Namespaces) => [...prefixes.values()].includes(prefix)

/** A name with the usual prefix of its namespace. */
const withPrefix = (usual: string | undefined, raw: string, local: string) =>
  usual === undefined ? raw : usual === '' ? local : `${usual}:${local}`

function elementName(scanner: XmlScanner, namespaces: Namespaces, prefixes: Namespaces) {
  const raw = scanner.name
  const colon = raw.indexOf(':')
  const prefix = colon < 0 ? '' : raw.slice(0, colon)
  const namespace = namespaces.get(prefix)
  if (namespace === undefined) {
    scanner.repairs++
    if (isUsual(prefix, prefixes)) return { name: raw, namespace: '' }
    return { name: 'span', namespace: namespaces.get('') ?? '' }
  }
  const name = withPrefix(prefixes.get(namespace), raw, raw.slice(colon + 1))
  if (namespace !== XHTML || !/[A-Z]/.test(name)) return { name, namespace }
  scanner.repairs++
  return { name: name.toLowerCase(), namespace }
}

/** The normalized name of an attribute, or none if it is to be dropped. */
function attributeName(
  scanner: XmlScanner,
  raw: string,
  namespaces: Namespaces,
  prefixes: Namespaces,
): string | undefined {
  const colon = raw.indexOf(':')
  if (colon < 0) return raw === 'xmlns' ? undefined : raw
  const prefix = raw.slice(0, colon)
  if (prefix === 'xml') return raw
  const local = raw.slice(colon + 1)
  const namespace = namespaces.get(prefix === 'xmlns' ? local : prefix)
  const usual = prefixes.get(namespace ?? '')
  if (prefix === 'xmlns') return usual === '' || !namespace ? undefined : `xmlns:${usual ?? local}`
  if (namespace !== undefined) return withPrefix(usual, raw, local)
  scanner.repairs++
  return isUsual(prefix, prefixes) ? raw : undefined
}
