/** Letters whose codes a file leaves unnamed, or names wrongly, by what their fonts say. */
import type { PDFDict, PDFDocument } from '@cantoo/pdf-lib'
import type { WrongFonts } from '../content/types.ts'
import { lettersMap, readLetters } from '../pdfa/encodings.ts'
import { namedCodes } from '../pdfa/font-entries.ts'
import { allDicts, dataOf, entry, name, nameEntry } from '../pdfa/objects.ts'
import { ownLetters, textOfName } from './own-letters.ts'

/** What leaves open which letter it is; text without letters is meant, where those of several glyphs are at one of them. */
const UNKNOWN = /[\p{Co}\p{Cc}\ufffd]/u

/** Most bytes of the maps of programs, in which every character is looked for. */
const MAP_BYTES = 100_000

/**
 * Gives fonts maps to Unicode: those with names that PDFium leaves out, of ligatures (`f_f_i`) and other forms
 * (`one.oldstyle`), and those whose letters were found to be wrong.
 * @param wrong if given, letters that other fonts leave unnamed are looked for too, so that no further page needs it done again
 * @returns whether there are any
 */
export function nameLetters(document: PDFDocument, wrong?: WrongFonts): boolean {
  const [budget, spare] = [{ bytes: MAP_BYTES }, { bytes: MAP_BYTES }]
  let isChanged = false
  for (const { dict } of allDicts(document)) {
    // A descendant is looked at with its font.
    if (nameEntry(dict, 'Type') !== 'Font' || /^CIDFont/.test(nameEntry(dict, 'Subtype') ?? '')) continue
    const found = wrong?.get(nameEntry(dict, 'BaseFont')?.replace(/^[A-Z]{6}\+/, '') ?? '')
    // PDFium knows as much as a font that says nothing but the name of an encoding.
    const own = ['FontDescriptor', 'DescendantFonts'].some(key => dict.has(name(key)))
    const isNamed = own || entry(dict, 'Encoding', 'Differences') !== undefined
    const problem = found ?? (wrong && isNamed ? 'lost' : undefined)
    const given = dataOf(entry(dict, 'ToUnicode'))
    if (given && !problem) continue
    const letters = readLetters(given?.toString('latin1') ?? '')
    const named = [...(problem ? ownLetters(dict, found ? budget : spare) : special(dict))].filter(
      ([code]) => problem === 'gibberish' || UNKNOWN.test(letters.get(code) ?? '\ufffd'),
    )
    if (named.length === 0) continue
    for (const [code, text] of named) letters.set(code, text)
    const map = lettersMap(letters, nameEntry(dict, 'Subtype') === 'Type0' ? 4 : 2)
    dict.set(name('ToUnicode'), document.context.register(document.context.flateStream(map)))
    isChanged = true
  }
  return isChanged
}

const special = (font: PDFDict) =>
  [...namedCodes(font)].flatMap(([code, glyph]): [number, string][] => {
    const text = /\w[_.]/.test(glyph) && textOfName(glyph)
    return text ? [[code, text]] : []
  })
