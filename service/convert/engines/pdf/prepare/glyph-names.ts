/** Letters that a font names only by glyph, and that PDFium leaves out: ligatures (`f_f_i`), and other forms (`one.oldstyle`). */
import { type PDFDocument, PDFHexString } from '@cantoo/pdf-lib'
import { Encodings } from '@cantoo/pdf-lib/standard-fonts'
import { codeOfName, toUnicodeMap } from '../pdfa/encodings.ts'
import { namedCodes } from '../pdfa/font-entries.ts'
import { allDicts, name, nameEntry } from '../pdfa/objects.ts'

/** Characters of Western Europe by the names of their glyphs. */
const NAMED = new Map(
  Encodings.WinAnsi.supportedCodePoints.map(point => [
    Encodings.WinAnsi.encodeUnicodeCodePoint(point).name,
    point,
  ]),
)

/** Gives these fonts a map to Unicode. @returns whether there are any */
export function nameLetters(document: PDFDocument): boolean {
  let isChanged = false
  for (const { dict } of allDicts(document)) {
    if (nameEntry(dict, 'Type') !== 'Font' || dict.has(name('ToUnicode'))) continue
    const lines = [...namedCodes(dict)].flatMap(([code, glyph]) => {
      const text = /\w[_.]/.test(glyph) && textOfName(glyph)
      return text
        ? `<${code.toString(16).padStart(2, '0')}> <${PDFHexString.fromText(text).asString().slice(4)}>`
        : []
    })
    if (lines.length === 0) continue
    const blocks = lines.map(line => `1 beginbfchar\n${line}\nendbfchar`)
    const map = document.context.flateStream(toUnicodeMap(['00', 'FF'], blocks))
    dict.set(name('ToUnicode'), document.context.register(map))
    isChanged = true
  }
  return isChanged
}

/** What a glyph shows, by the rules of Adobe's glyph list (AGL 2): parts joined by underscores, a suffix for its form. */
function textOfName(glyph: string): string | undefined {
  const letters = glyph
    .replace(/\..*$/, '')
    .split('_')
    .map(part => {
      const code = codeOfName(part) || NAMED.get(part)
      if (code) return String.fromCodePoint(Math.min(code, 0x10ffff))
      return /^(?:f[fil]|ff[il])$/.test(part) ? part : undefined
    })
  return letters.includes(undefined) ? undefined : letters.join('')
}
