/** Characters of the Symbol and Wingdings fonts. */

/** The Symbol font has Greek letters at the positions of Latin ones. */
const LATIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const GREEK = 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ'

const symbol: Record<number, string> = {
  163: '≤',
  165: '∞',
  171: '↔',
  172: '←',
  173: '↑',
  174: '→',
  175: '↓',
  176: '°',
  177: '±',
  179: '≥',
  180: '×',
  182: '∂',
  183: '•',
  184: '÷',
  185: '≠',
  186: '≡',
  187: '≈',
  188: '…',
  206: '∈',
  208: '∠',
  209: '∇',
  213: '∏',
  214: '√',
  217: '∧',
  218: '∨',
  219: '⇔',
  222: '⇒',
  229: '∑',
  242: '∫',
}

const wingdings: Record<number, string> = {
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
  167: '▪',
  168: '◻',
  216: '➢',
  223: '←',
  224: '→',
  225: '↑',
  226: '↓',
  232: '➔',
  251: '✗',
  252: '✓',
  253: '☒',
  254: '☑',
}

/** The Unicode character for a character of a symbol font; empty if unknown. */
export function symbolOf(font: string, code: string): string {
  const value = Number.parseInt(code, 16)
  if (Number.isNaN(value)) return ''
  // Symbol fonts are mapped to a private use area: ECMA-376 part 1, 17.3.3.30.
  const place = value >= 0xf000 && value <= 0xf0ff ? value - 0xf000 : value
  if (/wingdings/i.test(font)) return wingdings[place] ?? ''
  if (/symbol/i.test(font)) {
    const letter = LATIN.indexOf(String.fromCharCode(place))
    return symbol[place] ?? (letter >= 0 ? GREEK[letter]! : place < 128 ? String.fromCharCode(place) : '')
  }
  return value >= 0xe000 && value <= 0xf8ff ? '' : String.fromCodePoint(value)
}
