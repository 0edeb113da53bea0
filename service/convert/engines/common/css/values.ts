/** Splitting of CSS values, aware of strings and brackets (CSS Syntax Level 3). */
import { ident, string } from 'css-tree'

const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** Index of the first character of `marks` outside strings and brackets, or the length of the text. */
export function find(text: string, marks: string, start = 0): number {
  const expected: string[] = []
  for (let at = start; at < text.length; at++) {
    const char = text[at]!
    if (char === '\\') at++
    else if (expected.length === 0 && marks.includes(char)) return at
    else if (char === '"' || char === "'") at = stringEnd(text, at)
    else if (closing[char]) expected.push(closing[char])
    else if (char === expected.at(-1)) expected.pop()
  }
  return text.length
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === text[start]) return at
  }
  return text.length
}

/** Parts between the characters of `marks`, trimmed. */
export function splitAt(text: string, marks: string): string[] {
  const parts: string[] = []
  for (let at = 0; at <= text.length; ) {
    const stop = find(text, marks, at)
    parts.push(text.slice(at, stop).trim())
    at = stop + 1
  }
  return parts
}

/** Parts between spaces. */
export const words = (text: string): string[] => splitAt(text, ' \t\n\r\f').filter(part => part !== '')

/** A string or name without quotation marks and escapes. */
export function unquoted(text: string): string {
  const plain = text.trim()
  return /^["']/.test(plain) ? string.decode(plain) : ident.decode(plain)
}
