import { decodePercent } from '../../../engines/common/addresses.ts'
import { decodeReferences } from '../../../engines/common/xml/references.ts'
import type { Token } from '../../../engines/documents/read/markdown/parse.ts'
import { htmlParts } from './html.ts'

/** The plain text of inline tokens. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map(token => {
      if (token.type === 'softbreak' || token.type === 'hardbreak') return ' '
      if (token.type === 'image') return plainText(token.children ?? [])
      return /^(?:text|code_inline|maths_)/.test(token.type) ? token.content : ''
    })
    .join('')
}

/** Link targets within the document: names with their Typst labels. */
export interface Anchors {
  /** Labels of headings by their `heading_open` token. */
  headings: Map<Token, string>
  /** Labels by the name after the `#` of a link. */
  byName: Map<string, string>
  /** The text of the first level-1 heading. */
  firstTitle: string | undefined
}

/** The anchor that GitHub gives a heading: https://github.com/Flet/github-slugger */
const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')

/** Finds all possible link targets: headings, and HTML elements with an `id` or a `name`. */
export function anchorsOf(tokens: readonly Token[]): Anchors {
  const headings = new Map<Token, string>()
  const byName = new Map<string, string>()
  const taken = new Map<string, number>()
  let firstTitle: string | undefined
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const inline = tokens[at + 1]?.children ?? []
      const text = plainText(inline).trim()
      if (token.tag === 'h1' && text !== '') firstTitle ??= text
      const slug = slugOf(text)
      const count = taken.get(slug) ?? 0
      taken.set(slug, count + 1)
      const label = `h:${headings.size}`
      headings.set(token, label)
      const name = count === 0 ? slug : `${slug}-${count}`
      if (!byName.has(name)) byName.set(name, label)
      // A name inside a heading refers to the heading.
      for (const own of inline.flatMap(namesIn)) if (!byName.has(own)) byName.set(own, label)
    } else if (token.type === 'html_block' || token.type === 'inline') {
      const parts = token.type === 'html_block' ? [token] : (token.children ?? [])
      for (const own of parts.flatMap(namesIn)) if (!byName.has(own)) byName.set(own, `a:${byName.size}`)
    }
  }
  return { headings, byName, firstTitle }
}

function namesIn(token: Token): string[] {
  if (!token.type.startsWith('html_') || !/\b(?:id|name)\s*=/i.test(token.content)) return []
  return htmlParts(token.content).flatMap(part => (part.kind === 'open' ? nameOf(part.attributes) : []))
}

/** The names of an HTML element that links can use. */
export const nameOf = ({ id, name }: Record<string, string>): string[] =>
  (id ?? name) ? [(id ?? name ?? '').toLowerCase()] : []

/** The name in an address such as `#installation`; undefined for addresses outside the document. */
export const nameInLink = (address: string): string | undefined =>
  address.startsWith('#') ? decodeReferences(decodePercent(address.slice(1))).toLowerCase() : undefined
