/** JSON (RFC 8259), and JSON in lines; numbers keep all of their digits. */
import { DataError, Numeral, numberOf, type Value } from './values.ts'

/** @throws DataError */
export function readJson(text: string): Value {
  try {
    return parsed(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const lines = text.split('\n').filter(line => line.trim() !== '')
    if (lines.length > 1 && /^\s*[[{]/.test(text)) {
      try {
        return lines.map(parsed)
      } catch {
        // The first error says more.
      }
    }
    const [, line] = /line (\d+)/.exec(String(error)) ?? []
    throw new DataError(String(error), line === undefined ? undefined : Number(line))
  }
}

const parsed = (text: string): Value =>
  JSON.parse(marked(text), (_key, value: unknown, context?: { source?: string }) => {
    if (typeof value === 'number') return numberOf(context?.source ?? '') ?? value
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Numeral)
      return value
    return new Map(Object.entries(value).map(([key, each]) => [unmarked(key), each]))
  })

/** The text with a sign before keys that are numbers, which an object would put first, in the order of their values. */
const marked = (text: string): string => text.replace(/(?<!\\)"(?=#*\d{1,10}"\s*:)/g, '"#')

const unmarked = (key: string): string => (/^#+\d{1,10}$/.test(key) ? key.slice(1) : key)

/** Indented by two spaces. */
export const writeJson = (value: Value): string => `${jsonOf(value, '\n')}\n`

/** Letters of a piece of text, roughly. */
const PIECE = 65_536

/** The same of a list, in pieces. */
export function* jsonPieces(items: Iterable<Value>): Generator<string> {
  let piece = '['
  let count = 0
  for (const item of items) {
    piece += `${count++ > 0 ? ',' : ''}\n  ${jsonOf(item, '\n  ')}`
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield `${piece}${count > 0 ? '\n' : ''}]\n`
}

/** In one line. */
export const compactJson = (value: Value): string => jsonOf(value, '')

function jsonOf(value: Value, line: string): string {
  if (value instanceof Numeral) return value.text
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const inner = line && `${line}  `
  const [opening, closing] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map(each => jsonOf(each, inner))
    : [...value].map(([key, each]) => `${JSON.stringify(key)}:${line && ' '}${jsonOf(each, inner)}`)
  return parts.length === 0
    ? opening! + closing!
    : `${opening}${inner}${parts.join(`,${inner}`)}${line}${closing}`
}
