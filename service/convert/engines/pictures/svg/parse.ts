/** Reads the XML of an SVG document into a tree of its elements, with limits on everything. */
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { XmlError } from '../../common/xml/element.ts'
import { withOwnEntities } from '../../common/xml/entities.ts'
import { SVG, XLINK } from '../../common/xml/namespaces.ts'
import { XmlScanner } from '../../common/xml/scan.ts'
import { append, type Element } from './tree.ts'

/** Maximum nesting of elements: the renderer reads them recursively. */
const DEPTH_LIMIT = 200
const ELEMENT_LIMIT = 1_000_000

const XML = 'http://www.w3.org/XML/1998/namespace'

const tooComplex = () => new JobFailure('jobs.too_large', message('svg.too_complex'))

export interface Parsed {
  root: Element
  /** Whether the document ended early or had errors that were ignored. */
  damaged: boolean
}

/** Namespaces by prefix. */
type Scope = ReadonlyMap<string, string>

interface Open {
  /** Null for an element of another namespace, which is left out with everything below it. */
  node: Element | null
  name: string
  scope: Scope
}

/**
 * Parses a document into a tree of its SVG elements. Names lose their prefixes, `xlink:href` becomes `href`, attributes
 * of other namespaces and comments are left out. A truncated document is read as far as it goes.
 * @throws JobFailure corrupt_input without an SVG element, too_large
 */
export function parseVectorGraphic(text: string): Parsed {
  const source = withOwnEntities(text, () => {
    throw tooComplex()
  })
  const scanner = new XmlScanner(source)
  const open: Open[] = []
  let root: Element | undefined
  let damaged = false
  for (let count = 0; !(root && open.length === 0); ) {
    try {
      if (!scanner.next()) break
    } catch (error) {
      if (!(error instanceof XmlError)) throw error
      break
    }
    const { kind, name, attributes, isEmpty } = scanner
    const outer = open.at(-1)
    if (kind === 'text' || kind === 'cdata') addText(outer?.node, scanner.content())
    else if (kind === 'end') {
      // An end tag that matches nothing is ignored; one that matches an outer element ends those inside.
      const index = open.findLastIndex(entry => entry.name === name)
      if (index !== open.length - 1 || index < 0) damaged = true
      if (index >= 0) open.length = index
    } else if (kind === 'start') {
      if (++count > ELEMENT_LIMIT || open.length >= DEPTH_LIMIT) throw tooComplex()
      const scope = scopeOf(attributes, outer?.scope ?? new Map([['xml', XML]]))
      const [prefix, local] = split(name)
      const namespace = scope.get(prefix)
      // A document without any namespace is treated as SVG anyway.
      const isSvg = namespace === SVG || (namespace === undefined && prefix === '')
      const isInside = outer ? outer.node !== null : local === 'svg'
      const node = isSvg && isInside ? makeElement(local, attributes, scope) : null
      if (node && outer?.node) append(outer.node, node)
      else if (node) root = node
      if (!isEmpty) open.push({ node, name, scope })
    }
  }
  if (!root) throw new JobFailure('jobs.corrupt_input', message('svg.no_drawing'))
  return { root, damaged: damaged || open.length > 0 }
}

function addText(parent: Element | null | undefined, text: string): void {
  if (!parent || text === '') return
  const last = parent.children.length - 1
  const before = parent.children[last]
  if (typeof before === 'string') parent.children[last] = before + text
  else parent.children.push(text)
}

const split = (name: string): [prefix: string, local: string] => {
  const colon = name.indexOf(':')
  return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
}

function scopeOf(attributes: Map<string, string>, outer: Scope): Scope {
  let scope = outer
  for (const [name, value] of attributes)
    if (name === 'xmlns' || name.startsWith('xmlns:')) scope = new Map(scope).set(name.slice(6), value)
  return scope
}

function makeElement(name: string, raw: Map<string, string>, scope: Scope): Element {
  const attributes = new Map<string, string>()
  for (const [key, value] of raw) {
    const [prefix, local] = split(key)
    const namespace = scope.get(prefix) ?? (prefix === 'xlink' ? XLINK : undefined)
    if (prefix === '' && key !== 'xmlns') attributes.set(key, value)
    else if (namespace === XML) attributes.set(`xml:${local}`, value)
    else if (namespace === XLINK && local === 'href' && !raw.has('href')) attributes.set('href', value)
  }
  return { name, attributes, children: [], parent: null }
}
