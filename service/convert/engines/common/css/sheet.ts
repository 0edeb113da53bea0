/** Style sheets and style attributes, parsed by css-tree: https://www.w3.org/TR/css-syntax-3/ */
import { type CssNode, generate, parse, tokenize, tokenTypes } from 'css-tree'
import { readSelectors, type Selector } from './selectors.ts'

export interface Declaration {
  /** In lower case, except for custom properties. */
  name: string
  value: string
  important: boolean
}

export interface Rule {
  selector: Selector
  declarations: Declaration[]
}

export interface Sheet {
  rules: Rule[]
  /** Declarations of each `@font-face`, by name. */
  fontFaces: Map<string, string>[]
  /** What follows each `@import`. */
  imports: string[]
}

/** Maximum number of rules of a sheet. */
const RULE_LIMIT = 50_000

const options = { parseValue: false, parseAtrulePrelude: false }

/**
 * Parses a style sheet; unknown parts are skipped, as CSS requires.
 * @param isMet whether the rules for a media query apply
 */
export function readSheet(css: string, isMet: (media: string) => boolean): Sheet {
  const sheet: Sheet = { rules: [], fontFaces: [], imports: [] }
  const collect = (block: CssNode) => {
    if (block.type !== 'StyleSheet' && block.type !== 'Block') return
    for (const node of block.children) {
      if (sheet.rules.length >= RULE_LIMIT) return
      if (node.type === 'Rule') {
        const declarations = declarationsOf(node.block)
        if (declarations.length === 0) continue
        for (const selector of readSelectors(node.prelude)) sheet.rules.push({ selector, declarations })
      } else if (node.type === 'Atrule') {
        const prelude = node.prelude ? generate(node.prelude).trim() : ''
        const name = node.name.toLowerCase()
        if (name === 'import') sheet.imports.push(prelude)
        else if (name === 'font-face' && node.block)
          sheet.fontFaces.push(new Map(declarationsOf(node.block).map(found => [found.name, found.value])))
        else if (node.block && (/^(?:supports|layer)$/.test(name) || (name === 'media' && isMet(prelude))))
          collect(node.block)
      }
    }
  }
  collect(parsed(css, 'stylesheet'))
  return sheet
}

/** The declarations of a style attribute. */
export const readDeclarations = (style: string): Declaration[] =>
  declarationsOf(parsed(style, 'declarationList'))

function parsed(css: string, context: 'stylesheet' | 'declarationList'): CssNode {
  try {
    return parse(css, { ...options, context })
  } catch {
    // It is nested deeper than the parser goes.
    return { type: 'Raw', value: css }
  }
}

function declarationsOf(block: CssNode): Declaration[] {
  if (block.type !== 'Block' && block.type !== 'DeclarationList') return []
  return [...block.children].flatMap(node => {
    if (node.type !== 'Declaration') return []
    const { property } = node
    const name = property.startsWith('--') ? property : property.toLowerCase()
    const value = withoutComments(generate(node.value)).trim()
    return value === '' ? [] : [{ name, value, important: node.important !== false }]
  })
}

function withoutComments(css: string): string {
  if (!css.includes('/*')) return css
  const parts: string[] = []
  tokenize(css, (type, from, to) => parts.push(type === tokenTypes.Comment ? ' ' : css.slice(from, to)))
  return parts.join('')
}
