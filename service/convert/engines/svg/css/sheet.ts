/** Style sheets: rules, and embedded fonts. */
import { find, splitAt, withoutComments } from './scan.ts'
import { parseSelectors, type Selector } from './selectors.ts'

export interface Declaration {
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
  /** Whether it references other sheets, which are not read. */
  imports: boolean
}

/** Declarations of a style attribute or of a rule's block. */
export function parseDeclarations(text: string): Declaration[] {
  const declarations: Declaration[] = []
  for (const part of splitAt(text, ';')) {
    const colon = part.indexOf(':')
    if (colon <= 0) continue
    const raw = part.slice(0, colon).trim()
    const name = raw.startsWith('--') ? raw : raw.toLowerCase()
    const value = part.slice(colon + 1).trim()
    const important = /!\s*important$/i.test(value)
    const plain = important ? value.replace(/!\s*important$/i, '').trim() : value
    if (/^[\w-]+$/.test(name) && plain !== '') declarations.push({ name, value: plain, important })
  }
  return declarations
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

/** Parses a style sheet; unknown parts are skipped, as CSS requires. */
export function parseSheet(css: string): Sheet {
  const sheet: Sheet = { rules: [], fontFaces: [], imports: false }
  readBlock(withoutComments(css).replace(/<!--|-->/g, ' '), sheet)
  return sheet
}

function readBlock(text: string, sheet: Sheet): void {
  for (let at = 0; at < text.length; ) {
    const open = find(text, '{;', at)
    const prelude = text.slice(at, open).trim()
    if (text[open] !== '{') {
      if (/^@import\b/i.test(prelude)) sheet.imports = true
      at = open + 1
      continue
    }
    const close = find(text, '}', open + 1)
    const body = text.slice(open + 1, close)
    at = close + 1
    const [, rule, condition = ''] = /^@([\w-]+)([\s\S]*)$/.exec(prelude) ?? []
    if (rule === undefined) {
      const declarations = parseDeclarations(body)
      if (declarations.length > 0) {
        for (const selector of parseSelectors(prelude)) sheet.rules.push({ selector, declarations })
      }
    } else if (/^font-face$/i.test(rule)) {
      sheet.fontFaces.push(new Map(parseDeclarations(body).map(({ name, value }) => [name, value])))
    } else if ((/^media$/i.test(rule) && isMet(condition)) || /^(supports|layer)$/i.test(rule)) {
      readBlock(body, sheet)
    }
  }
}

export const appliesTo = (media: string | undefined): boolean =>
  media === undefined || media.trim() === '' || isMet(media)
