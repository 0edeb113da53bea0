import { decodePercent } from '../../common/addresses.ts'
import type { XmlElement } from '../../common/xml/element.ts'
import type { Book, NavigationEntry } from './model.ts'

export interface Target {
  /** Path within the book, decoded. */
  href: string
  /** Without `#`; empty if the link has none. */
  fragment: string
}

/** A link to somewhere outside the book, such as `https:` and `mailto:`. */
export const isRemote = (reference: string): boolean => /^\s*(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(reference)

/**
 * Resolves a reference in a file of the book.
 * @param base path of the file within the book
 * @param reference as written in the file, percent-encoded: `../text/two.xhtml#note`
 * @returns undefined if it leads out of the book
 */
export function resolveHref(base: string, reference: string): Target | undefined {
  if (isRemote(reference)) return undefined
  const trimmed = reference.trim()
  const hash = trimmed.indexOf('#')
  const fragment = hash < 0 ? '' : decodePercent(trimmed.slice(hash + 1))
  const path = (hash < 0 ? trimmed : trimmed.slice(0, hash)).replace(/\?.*$/s, '')
  if (path === '') return { href: base, fragment }
  const folder = path.startsWith('/') ? '' : base.slice(0, base.lastIndexOf('/') + 1)
  return { href: cleanPath(folder + decodePercent(path.replaceAll('\\', '/'))), fragment }
}

/** A path that stays within the book, without `.` and `..`. */
export function cleanPath(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** The address against which references are resolved where a base address is declared; undefined if that leads out of the book. */
export function baseAddress(base: string, declared: string): string | undefined {
  const target = resolveHref(base, declared)
  const isFolder = /(?:\/|(?:^|\/)\.{1,2})\s*$/.test(declared) && target?.href !== ''
  return target && (isFolder ? `${target.href}/` : target.href)
}

/** The reference from the file `base` to a place in the book, percent-encoded. */
export function relativeHref(base: string, { href, fragment }: Target): string {
  const hash = fragment === '' ? '' : `#${encodeFragment(fragment)}`
  if (base === href) return hash || encodePath(href.slice(href.lastIndexOf('/') + 1))
  const from = base.split('/').slice(0, -1)
  const to = href.split('/')
  let same = 0
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++
  return `${'../'.repeat(from.length - same)}${encodePath(to.slice(same).join('/'))}${hash}`
}

/** A target as one string, as stored in navigation entries: `href#fragment`, with `#` and `%` encoded in the path. */
export function joinTarget(href: string, fragment = ''): string {
  const path = href.replaceAll('%', '%25').replaceAll('#', '%23')
  return fragment === '' ? path : `${path}#${fragment}`
}

/** Splits the result of `joinTarget`. */
export function splitTarget(target: string): Target {
  const hash = target.indexOf('#')
  const path = hash < 0 ? target : target.slice(0, hash)
  return {
    href: path.replaceAll('%23', '#').replaceAll('%25', '%'),
    fragment: hash < 0 ? '' : target.slice(hash + 1),
  }
}

/** Encodes a path for a link, including all characters that have a special meaning there. */
export const encodePath = (path: string): string =>
  encodeURI(path.toWellFormed()).replace(/[#?:]/g, encodeURIComponent)

const encodeFragment = (fragment: string) => encodeURI(fragment.toWellFormed()).replaceAll('#', '%23')

/** Attributes whose value is a reference. */
const linking = ['href', 'src', 'xlink:href', 'poster', 'altimg', 'cite', 'longdesc', 'data', 'background']

export interface Link {
  element: XmlElement
  attribute: string
  /** As written. */
  value: string
}

/** All attributes of a document that contain references; `srcset` and CSS have their own functions. */
export function* linksOf(root: XmlElement): Generator<Link> {
  for (const element of elementsIn(root)) {
    for (const attribute of linking) {
      const value = element.attributes[attribute]
      if (value !== undefined) yield { element, attribute, value }
    }
  }
}

/** An element and all its descendants in document order. */
export function* elementsIn(root: XmlElement): Generator<XmlElement> {
  const waiting = [root]
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    yield element
    for (let at = element.children.length - 1; at >= 0; at--) {
      const child = element.children[at]
      if (typeof child === 'object') waiting.push(child)
    }
  }
}

/** All entries of a table of contents, nested ones after their parent. */
export function* entriesOf(
  entries: readonly NavigationEntry[],
  depth = 0,
): Generator<NavigationEntry & { depth: number }> {
  for (const entry of entries) {
    yield { ...entry, depth }
    yield* entriesOf(entry.children, depth + 1)
  }
}

/** The `href`s of the spine in reading order, with the linear ones first. */
export const readingOrder = ({ spine }: Pick<Book, 'spine'>): string[] => [
  ...spine.filter(({ linear }) => linear).map(({ href }) => href),
  ...spine.filter(({ linear }) => !linear).map(({ href }) => href),
]
