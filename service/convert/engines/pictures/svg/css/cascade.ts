/** Writes the effect of style sheets and style attributes on every element into attributes. */
import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { Cascade } from '../../../common/css/cascade.ts'
import { type Declaration, type Rule, readSheet } from '../../../common/css/sheet.ts'
import { splitAt, words } from '../../../common/css/values.ts'
import { type Element, MARKERS, remove, STYLED, textOf, walk } from '../tree.ts'
import { isStyled, properties } from './properties.ts'

export interface Styles {
  fontFaces: Map<string, string>[]
  /** Whether external sheets are referenced, which are not read. */
  imports: boolean
}

/**
 * Applies all styles of a document and removes its sheets and style attributes: afterwards presentation attributes
 * contain everything. Custom properties, `inherit` and `initial` are resolved, shorthands expanded.
 */
export function applyStyles(root: Element): Styles {
  const nodes = [...walk(root)]
  const rules: Rule[] = []
  const styles: Styles = { fontFaces: [], imports: false }
  const sheets = nodes.filter(({ name }) => name === 'style')
  for (const sheet of sheets) {
    const type = sheet.attributes.get('type')?.trim()
    if ((type && type !== 'text/css') || !isMet(sheet.attributes.get('media')?.trim() ?? '')) continue
    const parsed = readSheet(textOf(sheet), isMet)
    for (const rule of parsed.rules) rules.push(rule)
    styles.fontFaces.push(...parsed.fontFaces)
    styles.imports ||= parsed.imports.length > 0
  }
  const cascade = new Cascade(root, rules, () => {
    throw new JobFailure('jobs.too_large', message('svg.too_complex'))
  })
  const declared = nodes.map(node => cascade.declarationsOf(node))
  const custom = new Map<Element, Map<string, string>>()
  for (const [i, node] of nodes.entries()) write(node, declared[i]!, custom)
  for (const sheet of sheets) remove(sheet)
  return styles
}

/** Media queries that a picture on a light screen satisfies. Conditions on its size are ignored. */
function isMet(query: string): boolean {
  return splitAt(query.toLowerCase(), ',').some(part => {
    if (/\bnot\b/.test(part)) return !isMet(part.replace(/\bnot\b/, '').trim())
    if (/\b(print|speech|tty|tv|projection|handheld|braille)\b/.test(part)) return false
    const features = [...part.matchAll(/\(([^)]*)\)/g)].map(match => match[1]!.replace(/\s/g, ''))
    return features.every(
      feature => !/^prefers-(color-scheme:dark|contrast:|reduced-motion:reduce)/.test(feature),
    )
  })
}

function write(node: Element, declarations: Declaration[], custom: Map<Element, Map<string, string>>): void {
  const inherited = (node.parent && custom.get(node.parent)) ?? new Map<string, string>()
  const own = declarations.filter(({ name }) => name.startsWith('--'))
  const variables =
    own.length === 0
      ? inherited
      : new Map([...inherited, ...own.map(({ name, value }) => [name, value] as const)])
  custom.set(node, variables)
  // Only styles may state these.
  for (const name of STYLED) node.attributes.delete(name)
  for (const [name, value] of node.attributes) {
    if (value.includes('var(') && properties.has(name)) setOrDrop(node, name, substitute(value, variables))
  }
  for (const declaration of declarations) {
    if (declaration.name.startsWith('--')) continue
    const value = declaration.value.includes('var(')
      ? substitute(declaration.value, variables)
      : declaration.value
    for (const [name, part] of longhands(declaration.name, value ?? 'unset')) {
      if (isStyled(name, node.name)) setOrDrop(node, name, part)
    }
  }
  node.attributes.delete('style')
  node.attributes.delete('class')
}

/** Values of `var()` that refer to each other must not grow without limit. */
const VALUE_LIMIT = 100_000

/** Substitutes the values of custom properties; undefined if one is missing and has no fallback. */
function substitute(
  value: string | undefined,
  variables: Map<string, string>,
  depth = 0,
): string | undefined {
  const at = value?.indexOf('var(') ?? -1
  if (value === undefined || at < 0) return value
  if (depth > 20 || value.length > VALUE_LIMIT) return undefined
  let close = at + 4
  for (let open = 1; close < value.length && open > 0; close++)
    open += value[close] === '(' ? 1 : value[close] === ')' ? -1 : 0
  const [name = '', ...fallback] = splitAt(value.slice(at + 4, close - 1), ',')
  const found = variables.get(name) ?? (fallback.length > 0 ? fallback.join(',') : undefined)
  if (found === undefined) return undefined
  return substitute(value.slice(0, at) + found + value.slice(close), variables, depth + 1)
}

function setOrDrop(node: Element, name: string, value: string | undefined): void {
  const property = properties.get(name)
  const keyword = value?.trim().toLowerCase()
  if (value === undefined || keyword === 'unset' || keyword === 'revert' || keyword === 'revert-layer') {
    node.attributes.delete(name)
  } else if (keyword === 'initial') {
    if (property?.inherited && property.initial !== undefined) node.attributes.set(name, property.initial)
    else node.attributes.delete(name)
  } else if (keyword === 'inherit') {
    const above = node.parent?.attributes.get(name)
    if (property?.inherited || above === undefined) node.attributes.delete(name)
    else node.attributes.set(name, above)
  } else {
    node.attributes.set(name, value)
  }
}

/** The properties that a shorthand expands to. */
function longhands(name: string, value: string): [string, string][] {
  switch (name) {
    case 'marker':
      return MARKERS.map(each => [each, value])
    case 'font':
      return fontParts(value)
    case 'background':
      return [['background-color', words(value).at(-1) ?? 'none']]
    case 'text-decoration':
    case 'text-decoration-line':
      return [
        [
          'text-decoration',
          words(value)
            .filter(word => /^(none|underline|overline|line-through)$/i.test(word))
            .join(' ') || 'none',
        ],
      ]
    case 'd': {
      const path = /^path\(\s*(?:\w+\s*,\s*)?(["'])([\s\S]*)\1\s*\)$/i.exec(value)
      return path ? [['d', path[2]!]] : []
    }
    case 'white-space':
      return [['xml:space', /^(pre|pre-wrap|break-spaces)$/i.test(value) ? 'preserve' : 'default']]
  }
  return [[name, value]]
}

/** The parts of `font`, such as `italic bold 30px/1.2 Arial, serif`. */
function fontParts(value: string): [string, string][] {
  const parts = words(value)
  const size = parts.findIndex(
    part =>
      /^[\d.]|^(xx?-small|small|medium|large|xx?-large|larger|smaller)\b/i.test(part) &&
      !/^\d{3}$/.test(part),
  )
  if (size < 0 || size === parts.length - 1) return []
  const found: [string, string][] = [
    ['font-style', 'normal'],
    ['font-weight', 'normal'],
    ['font-variant', 'normal'],
    ['font-stretch', 'normal'],
  ]
  for (const part of parts.slice(0, size)) {
    if (/^(italic|oblique)$/i.test(part)) found.push(['font-style', part])
    else if (/^(bold|bolder|lighter|\d{3})$/i.test(part)) found.push(['font-weight', part])
  }
  found.push(['font-size', parts[size]!.split('/')[0]!])
  found.push([
    'font-family',
    parts
      .slice(size + 1)
      .join(' ')
      .replace(/^\/\s*[\d.]+\w*\s+/, ''),
  ])
  return found
}
