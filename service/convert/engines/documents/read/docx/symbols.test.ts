import { expect, test } from 'vitest'
import { symbolOf } from './symbols.ts'

test.each([
  ['Symbol', 'F061', 'α'],
  ['SymbolMT', '22', '∀'],
  ['Symbol', 'F0A3', '≤'],
  ['Symbol', 'F001', ''],
  ['Wingdings', 'F0FC', '✓'],
  // A font with letters of Unicode.
  ['Segoe UI Symbol', '2713', '✓'],
  ['Cambria Math', 'E123', ''],
])('%s %s is %s', (font, code, character) => {
  expect(symbolOf(font, code)).toBe(character)
})
