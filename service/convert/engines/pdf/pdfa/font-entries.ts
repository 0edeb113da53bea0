/** What the dictionaries of fonts say about codes and glyphs, and the streams of their programs. */
import { decodePDFRawStream, type PDFDict, PDFName, PDFNumber, PDFRawStream } from '@cantoo/pdf-lib'
import { arrayEntry, dictEntry, dictOf, entry, items, name, nameEntry } from './objects.ts'

/** Name of the encoding of a simple font, or of the one that its own is based on. */
export function baseEncodingOf(font: PDFDict): string | undefined {
  const own = dictEntry(font, 'Encoding')
  return own ? nameEntry(own, 'BaseEncoding') : nameEntry(font, 'Encoding')
}

/** The names of glyphs that a simple font gives to codes (ISO 32000-1, 9.6.6.1). */
export function* namedCodes(font: PDFDict): Generator<[code: number, glyph: string]> {
  let next = 0
  for (const item of items(font.context, arrayEntry(font, 'Encoding', 'Differences'))) {
    if (item instanceof PDFNumber) next = item.asNumber()
    else if (item instanceof PDFName) yield [next++, item.decodeText()]
  }
}

/** The CID font that a composite font is made of (ISO 32000-1, 9.7.1). */
export const descendantOf = (font: PDFDict): PDFDict | undefined =>
  dictOf([...items(font.context, arrayEntry(font, 'DescendantFonts'))][0])

/** The entries of a descriptor that hold a program: of Type 1, of TrueType, or of another kind (9.9). */
export const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3']

/** The glyph of each character of a CID font with a TrueType program (ISO 32000-1, 9.7.4.2). */
export function glyphsOfCids(font: PDFDict): (cid: number) => number {
  const map = entry(font, 'CIDToGIDMap')
  if (!(map instanceof PDFRawStream)) return cid => cid
  const table = Buffer.from(decodePDFRawStream(map).decode())
  return cid => (cid * 2 + 1 < table.length ? table.readUInt16BE(cid * 2) : 0)
}

/** Gives a stream the content of another one, and what says how to read it; `keys` may be left of the former content. */
export function replaceContents(stream: PDFRawStream, other: PDFRawStream, ...keys: string[]): void {
  for (const key of ['Filter', 'DecodeParms', 'Length', ...keys]) {
    const value = other.dict.get(name(key))
    if (value) stream.dict.set(name(key), value)
    else stream.dict.delete(name(key))
  }
  stream.updateContents(other.contents)
}
