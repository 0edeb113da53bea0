/** Characters of the Symbol and Wingdings fonts. */
import { symbolCharacter } from '../../../common/symbol-font.ts'

const wingdings: Record<number, string> = {
  ...{
    40: '☎',
    42: '✉',
    74: '☺',
    76: '☹',
    108: '●',
    110: '■',
    111: '□',
    113: '❑',
    117: '◆',
    118: '❖',
    159: '•',
  },
  ...{ 167: '▪', 168: '◻', 216: '➢', 223: '←', 224: '→', 225: '↑', 226: '↓', 232: '➔' },
  ...{ 251: '✗', 252: '✓', 253: '☒', 254: '☑' },
}

/** The Unicode character for a character of a symbol font; empty if unknown. */
export function symbolOf(font: string, code: string): string {
  const value = Number.parseInt(code, 16)
  if (Number.isNaN(value)) return ''
  // Symbol fonts are mapped to a private use area: ECMA-376 part 1, 17.3.3.30.
  const place = value >= 0xf000 && value <= 0xf0ff ? value - 0xf000 : value
  if (/wingdings/i.test(font)) return wingdings[place] ?? ''
  if (/^symbol/i.test(font)) return symbolCharacter(place)
  return value >= 0xe000 && value <= 0xf8ff ? '' : String.fromCodePoint(value)
}
