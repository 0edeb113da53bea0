import { string, tokenize, tokenTypes, url } from 'css-tree'

/** Replacements for addresses in CSS. */
export interface CssAddresses {
  /** Replaces the address of an `@import`; null removes the whole rule. */
  sheet(address: string): string | null
  /** Replaces any other address; undefined keeps it. */
  resource(address: string): string | undefined
}

interface Token {
  type: number
  from: number
  to: number
}

/**
 * Replaces the addresses in CSS, and removes markers that are only meaningful in the original file. The former format of a
 * font that has been unpacked (`format("woff2")`) is removed next to a replaced address.
 */
export function replaceAddresses(css: string, addresses: CssAddresses): string {
  if (!/url\(|@import|@charset|<!--|-->|@namespace/i.test(css)) return css
  const tokens: Token[] = []
  tokenize(css, (type, from, to) => tokens.push({ type, from, to }))
  const parts: string[] = []
  const wordAt = ({ from, to }: Token) => css.slice(from, to)
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const { type, from, to } = token
    if (type === tokenTypes.CDO || type === tokenTypes.CDC) continue
    if (type === tokenTypes.AtKeyword) {
      const word = wordAt(token).toLowerCase()
      if (word === '@charset' || word === '@namespace') {
        at = endOfRule(tokens, at)
        continue
      }
      if (word === '@import') {
        const end = endOfRule(tokens, at)
        const found = addressFrom(css, tokens, afterSpace(tokens, at + 1))
        const replaced = found && addresses.sheet(found.address)
        if (replaced) {
          const rest = css.slice(tokens[found.last]!.to, tokens[end]?.to ?? css.length)
          parts.push(`@import url(${replaced})`, rest)
        }
        at = end
        continue
      }
    }
    const found = type === tokenTypes.String ? undefined : addressFrom(css, tokens, at)
    const replaced = found && addresses.resource(found.address)
    if (found && replaced !== undefined) {
      parts.push(`url(${replaced})`)
      at = withoutFormat(css, tokens, found.last)
    } else parts.push(css.slice(from, to))
  }
  return parts.join('')
}

/** The address that begins at a token: `url(…)` with or without quotes, or a string. */
function addressFrom(css: string, tokens: readonly Token[], at: number) {
  const token = tokens[at]
  if (!token) return undefined
  const word = css.slice(token.from, token.to)
  if (token.type === tokenTypes.Url) return { address: url.decode(word), last: at }
  if (token.type === tokenTypes.String) return { address: string.decode(word), last: at }
  if (token.type !== tokenTypes.Function || word.toLowerCase() !== 'url(') return undefined
  const inner = afterSpace(tokens, at + 1)
  const last = afterSpace(tokens, inner + 1)
  const value = tokens[inner]
  if (value?.type !== tokenTypes.String || tokens[last]?.type !== tokenTypes.RightParenthesis)
    return undefined
  return { address: string.decode(css.slice(value.from, value.to)), last }
}

/** The last token of an at-rule without a block. */
function endOfRule(tokens: readonly Token[], from: number): number {
  let at = from
  while (at < tokens.length && tokens[at]!.type !== tokenTypes.Semicolon) {
    if (tokens[at + 1]?.type === tokenTypes.LeftCurlyBracket) break
    at++
  }
  return at
}

function afterSpace(tokens: readonly Token[], from: number): number {
  let at = from
  while (tokens[at]?.type === tokenTypes.WhiteSpace || tokens[at]?.type === tokenTypes.Comment) at++
  return at
}

/** The last token of `format(…)` after an address, or of the address itself if there is none. */
function withoutFormat(css: string, tokens: readonly Token[], last: number): number {
  let at = afterSpace(tokens, last + 1)
  const token = tokens[at]
  if (token?.type !== tokenTypes.Function || !/^format\($/i.test(css.slice(token.from, token.to))) return last
  while (at < tokens.length && tokens[at]!.type !== tokenTypes.RightParenthesis) at++
  return at
}
