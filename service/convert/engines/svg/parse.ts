/** Parses the XML of a drawing (XML 1.0, Namespaces in XML 1.0), with limits on everything. */
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { append, type Element } from './tree.ts'

/** Maximum nesting of elements: the renderer reads them recursively. */
const DEPTH_LIMIT = 200
const ELEMENT_LIMIT = 1_000_000
const ATTRIBUTE_LIMIT = 1000
/** Maximum nesting of entities, and the number of characters that all of them may produce. */
const ENTITY_DEPTH_LIMIT = 10
const ENTITY_TEXT_LIMIT = 10_000_000

const SVG = 'http://www.w3.org/2000/svg'
const XLINK = 'http://www.w3.org/1999/xlink'
const XML = 'http://www.w3.org/XML/1998/namespace'

const tooComplex = () => new JobFailure('jobs.too_large', message('svg.too_complex'))
const noDrawing = () => new JobFailure('jobs.corrupt_input', message('svg.no_drawing'))

export interface Parsed {
  root: Element
  /** Whether the document ended early or had errors that were ignored. */
  damaged: boolean
}

type Scope = Map<string, string>

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
export function parseDrawing(text: string): Parsed {
  const entities = new Entities()
  const open: Open[] = []
  let root: Element | null = null
  let damaged = false
  let count = 0

  const addText = (value: string) => {
    const parent = open.at(-1)?.node
    if (!parent || value === '') return
    const last = parent.children.length - 1
    const before = parent.children[last]
    if (typeof before === 'string') parent.children[last] = before + value
    else parent.children.push(value)
  }

  /** Adds text between tags; an entity may hold elements. */
  const addContent = (content: string, depth: number) => {
    if (!entities.holdMarkup || !content.includes('&')) return addText(entities.expand(content))
    let at = 0
    for (const { 0: reference, 1: name = '', index } of content.matchAll(/&([\w.:-]+);/g)) {
      const value = entities.take(name, depth)
      if (value === undefined) continue
      addText(entities.expand(content.slice(at, index)))
      read(value, depth + 1)
      at = index + reference.length
    }
    addText(entities.expand(content.slice(at)))
  }

  /** Reads a document, or the value of an entity in it, up to its end or the end of the outermost element. */
  const read = (source: string, depth: number): void => {
    let at = 0
    const end = (mark: string, from: number) => {
      const found = source.indexOf(mark, from)
      if (found < 0) damaged = true
      return found < 0 ? source.length : found
    }
    while (at < source.length) {
      const next = source.indexOf('<', at)
      const stop = next < 0 ? source.length : next
      if (stop > at) addContent(source.slice(at, stop), depth)
      at = stop
      if (next < 0) break
      if (source.startsWith('<!--', at)) {
        at = end('-->', at + 4) + 3
      } else if (source.startsWith('<![CDATA[', at)) {
        const close = end(']]>', at + 9)
        addText(source.slice(at + 9, close))
        at = close + 3
      } else if (source.startsWith('<?', at)) {
        at = end('?>', at + 2) + 2
      } else if (source.startsWith('<!', at)) {
        const close = doctypeEnd(source, at)
        entities.declare(source.slice(at, close))
        at = close
      } else if (source.charCodeAt(at + 1) === 0x2f) {
        const close = end('>', at)
        const name = source.slice(at + 2, close).trim()
        // An end tag that matches nothing is ignored; one that matches an outer element ends those inside.
        const index = open.findLastIndex(entry => entry.name === name)
        if (index !== open.length - 1 || index < 0) damaged = true
        if (index >= 0) open.length = index
        at = close + 1
        if (root && open.length === 0) break
      } else {
        const tag = readTag(source, at)
        if (!tag) {
          damaged = true
          // What follows a broken tag cannot be distinguished from its attributes.
          break
        }
        at = tag.end
        if (++count > ELEMENT_LIMIT || open.length >= DEPTH_LIMIT) throw tooComplex()
        const outer = open.at(-1)
        const scope = scopeOf(tag.attributes, outer?.scope ?? new Map([['xml', XML]]), entities)
        const [prefix, local] = split(tag.name)
        const namespace = scope.get(prefix)
        // A document without any namespace is treated as a drawing anyway.
        const isSvg = namespace === SVG || (namespace === undefined && prefix === '')
        const inside: boolean = outer ? outer.node !== null : !root && local === 'svg'
        const node: Element | null =
          isSvg && inside ? makeElement(local, tag.attributes, scope, entities) : null
        if (node && outer?.node) append(outer.node, node)
        else if (node && !root) root = node
        if (!tag.closed) open.push({ node, name: tag.name, scope })
        else if (!outer && root) break
      }
    }
  }

  read(text, 0)
  if (!root) throw noDrawing()
  return { root, damaged: damaged || open.length > 0 }
}

const split = (name: string): [prefix: string, local: string] => {
  const colon = name.indexOf(':')
  return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
}

function scopeOf(attributes: Map<string, string>, outer: Scope, entities: Entities): Scope {
  let scope = outer
  for (const [name, value] of attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
    if (scope === outer) scope = new Map(outer)
    scope.set(name === 'xmlns' ? '' : name.slice(6), entities.expand(value))
  }
  return scope
}

function makeElement(name: string, raw: Map<string, string>, scope: Scope, entities: Entities): Element {
  const attributes = new Map<string, string>()
  for (const [key, value] of raw) {
    const [prefix, local] = split(key)
    if (prefix === '') {
      if (key === 'xmlns') continue
      attributes.set(key, entities.expand(value))
    } else if (prefix !== 'xmlns') {
      const namespace = scope.get(prefix) ?? (prefix === 'xlink' ? XLINK : undefined)
      if (namespace === XML) attributes.set(`xml:${local}`, entities.expand(value))
      else if (namespace === XLINK && local === 'href' && !raw.has('href'))
        attributes.set('href', entities.expand(value))
    }
  }
  return { name, attributes, children: [], parent: null }
}

interface Tag {
  name: string
  attributes: Map<string, string>
  closed: boolean
  end: number
}

const NAME = /[^\s/>=<"']+/y
const SPACE = /\s*/y

/** Parses a start tag; undefined if it is broken or the text ends in it. */
function readTag(text: string, start: number): Tag | undefined {
  NAME.lastIndex = start + 1
  const name = NAME.exec(text)?.[0]
  if (!name) return undefined
  const attributes = new Map<string, string>()
  let at = start + 1 + name.length
  const skipSpace = () => {
    SPACE.lastIndex = at
    at += SPACE.exec(text)?.[0].length ?? 0
  }
  for (;;) {
    skipSpace()
    const char = text[at]
    if (char === '>') return { name, attributes, closed: false, end: at + 1 }
    if (char === '/' && text[at + 1] === '>') return { name, attributes, closed: true, end: at + 2 }
    NAME.lastIndex = at
    const key = NAME.exec(text)?.[0]
    if (!key) return undefined
    at += key.length
    skipSpace()
    if (text[at] !== '=') return undefined
    at++
    skipSpace()
    const quote = text[at]
    if (quote !== '"' && quote !== "'") return undefined
    const close = text.indexOf(quote, at + 1)
    if (close < 0) return undefined
    if (!attributes.has(key)) attributes.set(key, text.slice(at + 1, close))
    if (attributes.size > ATTRIBUTE_LIMIT) throw tooComplex()
    at = close + 1
  }
}

/** End of a document type, which may contain declarations in brackets. */
function doctypeEnd(text: string, start: number): number {
  let depth = 0
  let quote = ''
  for (let at = start; at < text.length; at++) {
    const char = text[at]!
    if (quote) {
      if (char === quote) quote = ''
    } else if (char === '"' || (char === "'" && depth > 0)) quote = char
    else if (char === '[') depth++
    else if (char === ']') depth--
    else if (char === '>' && depth <= 0) return at + 1
  }
  return text.length
}

const builtin: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Entities declared by the document itself; external ones are empty. */
class Entities {
  readonly #values = new Map<string, string>()
  #expanded = 0
  /** Whether one of them holds elements. */
  holdMarkup = false

  declare(doctype: string): void {
    for (const [, name, double, single] of doctype.matchAll(
      /<!ENTITY\s+([\w.:-]+)\s+(?:"([^"]*)"|'([^']*)')/g,
    )) {
      if (this.#values.has(name!)) continue
      const value = double ?? single ?? ''
      this.#values.set(name!, value)
      if (value.includes('<')) this.holdMarkup = true
    }
  }

  /** The text of a declared entity, which may refer to others; undefined for any other. */
  take(name: string, depth: number): string | undefined {
    const value = Object.hasOwn(builtin, name) ? undefined : this.#values.get(name)
    if (value === undefined) return undefined
    this.#expanded += value.length
    if (depth >= ENTITY_DEPTH_LIMIT || this.#expanded > ENTITY_TEXT_LIMIT) throw tooComplex()
    return value
  }

  expand(text: string, depth = 0): string {
    if (!text.includes('&')) return text
    return text.replace(/&(#x[0-9a-f]+|#[0-9]+|[\w.:-]+);/gi, (_, name: string) => {
      if (name.startsWith('#')) return character(name)
      if (Object.hasOwn(builtin, name)) return builtin[name]!
      const value = this.take(name, depth)
      return value === undefined ? '' : this.expand(value, depth + 1)
    })
  }
}

function character(reference: string): string {
  const code = /^#x/i.test(reference) ? Number.parseInt(reference.slice(2), 16) : Number(reference.slice(1))
  const allowed = code === 9 || code === 10 || code === 13 || (code >= 32 && code <= 0x10ffff)
  return allowed && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : ''
}
