/** The meaning of the codes of simple fonts; ISO 32000-1, Annex D. */
import { Encodings } from '@cantoo/pdf-lib/standard-fonts'
import { symbolCharacter } from '../../common/symbol-font.ts'

/** Unicode of each code, 0 if it has none. */
export type CodeTable = readonly number[]

const fromLabel = (label: string): CodeTable => {
  const decoder = new TextDecoder(label)
  return Array.from({ length: 256 }, (_, code) =>
    code < 32 ? 0 : (decoder.decode(Uint8Array.of(code)).codePointAt(0) ?? 0),
  )
}

const table = (runs: Record<number, string>, base: CodeTable = Array(256).fill(0)): CodeTable => {
  const codes = [...base]
  for (const [start, characters] of Object.entries(runs)) {
    for (const [i, character] of [...characters].entries())
      codes[Number(start) + i] = character === '\0' ? 0 : (character.codePointAt(0) ?? 0)
  }
  return codes
}

const ascii = table({ 32: Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('') })

export const winAnsi: CodeTable = table({ 127: '•', 160: ' ', 173: '-' }, fromLabel('windows-1252')).map(
  code =>
    // Codes without a character show a bullet.
    code >= 0x80 && code < 0xa0 ? 0x2022 : code,
)

const macRoman: CodeTable = table({ 127: '\0' }, fromLabel('macintosh'))

export const standard: CodeTable = table(
  {
    39: '’',
    96: '‘',
    161: "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ",
    177: '–†‡·',
    182: '¶•‚„”»…‰',
    191: '¿',
    193: '`´ˆ˜¯˘˙¨',
    202: '˚¸',
    205: '˝˛ˇ—',
    225: 'Æ',
    227: 'ª',
    232: 'ŁØŒº',
    241: 'æ',
    245: 'ı',
    248: 'łøœß',
  },
  ascii,
)

/** Encoding of the font Symbol. */
export const symbol: CodeTable = Array.from(
  { length: 256 },
  (_, code) => symbolCharacter(code).codePointAt(0) ?? 0,
)

/** Encoding of the font ZapfDingbats. */
export const dingbats: CodeTable = table(
  Object.fromEntries(
    Encodings.ZapfDingbats.supportedCodePoints.map(point => [
      Encodings.ZapfDingbats.encodeUnicodeCodePoint(point).code,
      String.fromCodePoint(point),
    ]),
  ),
)

/** Unicode of a glyph name of the form `uni20AC` or `u1F600`; 0 for other names. */
export function codeOfName(name: string): number {
  const match = /^uni([0-9A-F]{4})|^u([0-9A-F]{4,6})$/.exec(name.replace(/\..*$/, ''))
  return match ? Number.parseInt(match[1] ?? match[2] ?? '0', 16) : 0
}

/** The encoding named in a file, or a default. */
export function tableOf(encoding: string | undefined, otherwise: CodeTable = standard): CodeTable {
  if (encoding === 'WinAnsiEncoding') return winAnsi
  if (encoding === 'MacRomanEncoding') return macRoman
  return encoding === 'StandardEncoding' ? standard : otherwise
}

/**
 * A CMap from character codes to Unicode (ISO 32000-1, 9.10.3).
 * @param codes the first and the last code, in hexadecimal
 * @param blocks sections of bfchar and bfrange
 */
export const toUnicodeMap = (
  codes: readonly [first: string, last: string],
  blocks: readonly string[],
): string =>
  `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<${codes[0]}> <${codes[1]}>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`

const utf16 = (hex: string) =>
  Buffer.from(hex.padEnd(Math.ceil(hex.length / 4) * 4, '0'), 'hex')
    .swap16()
    .toString('utf16le')

/** The same of these letters, whose codes have two digits or four. */
export function lettersMap(letters: Iterable<readonly [code: number, text: string]>, digits = 2): string {
  const lines = [...letters].map(([code, text]) => {
    const units = Buffer.from(text, 'utf16le').swap16().toString('hex')
    return `1 beginbfchar\n<${code.toString(16).padStart(digits, '0')}> <${units}>\nendbfchar`
  })
  return toUnicodeMap(['0'.repeat(digits), 'F'.repeat(digits)], lines)
}

/** How many codes a font can have, of at most two bytes each. */
const CODES = 0x10000
/** Hexadecimal digits of the longest text of a code that is read. */
const TEXT_DIGITS = 128

/** What such a map says of each code, as far as it does not name more codes than there are. */
export function readLetters(map: string): Map<number, string> {
  const letters = new Map<number, string>()
  let left = CODES
  for (const section of map.split('beginbf').slice(1)) {
    const tokens = (section.split('endbf', 1)[0]!.match(/<[^<>]*>|[[\]]/g) ?? []).map(token =>
      token.replace(/[<>\s]/g, '').slice(0, TEXT_DIGITS),
    )
    for (let at = 0; at < tokens.length; ) {
      const first = Number.parseInt(tokens[at++]!, 16)
      const end = section.startsWith('range') ? Number.parseInt(tokens[at++] ?? '', 16) : first
      const listed = tokens[at] === '['
      for (let code = first; code <= Math.min(end, CODES - 1) && left > 0; code++, left--) {
        const text = utf16(tokens[listed ? ++at : at] ?? '')
        const last = text.slice(-1)
        const next = last && !listed ? String.fromCharCode(last.charCodeAt(0) + code - first) : last
        letters.set(code, text.slice(0, -1) + next)
      }
      at += listed ? 2 : 1
    }
  }
  return letters
}
