/** Names of glyphs: OpenType 1.9.1, table `post`. */
import { ByteWriter, FontCursor, FontData } from '../sfnt/data.ts'
import { copyOf, type Font } from '../sfnt/font.ts'

/** Names of the glyphs of Macintosh fonts in their standard order: OpenType 1.9.1, table `post`. */
const macintoshNames: readonly string[] = (
  '.notdef .null nonmarkingreturn space exclam quotedbl numbersign dollar percent ampersand quotesingle ' +
  'parenleft parenright asterisk plus comma hyphen period slash zero one two three four five six seven ' +
  'eight nine colon semicolon less equal greater question at A B C D E F G H I J K L M N O P Q R S T U V W ' +
  'X Y Z bracketleft backslash bracketright asciicircum underscore grave a b c d e f g h i j k l m n o p q ' +
  'r s t u v w x y z braceleft bar braceright asciitilde Adieresis Aring Ccedilla Eacute Ntilde Odieresis ' +
  'Udieresis aacute agrave acircumflex adieresis atilde aring ccedilla eacute egrave ecircumflex edieresis ' +
  'iacute igrave icircumflex idieresis ntilde oacute ograve ocircumflex odieresis otilde uacute ugrave ' +
  'ucircumflex udieresis dagger degree cent sterling section bullet paragraph germandbls registered ' +
  'copyright trademark acute dieresis notequal AE Oslash infinity plusminus lessequal greaterequal yen mu ' +
  'partialdiff summation product pi integral ordfeminine ordmasculine Omega ae oslash questiondown ' +
  'exclamdown logicalnot radical florin approxequal Delta guillemotleft guillemotright ellipsis ' +
  'nonbreakingspace Agrave Atilde Otilde OE oe endash emdash quotedblleft quotedblright quoteleft ' +
  'quoteright divide lozenge ydieresis Ydieresis fraction currency guilsinglleft guilsinglright fi fl ' +
  'daggerdbl periodcentered quotesinglbase quotedblbase perthousand Acircumflex Ecircumflex Aacute ' +
  'Edieresis Egrave Iacute Icircumflex Idieresis Igrave Oacute Ocircumflex apple Ograve Uacute Ucircumflex ' +
  'Ugrave dotlessi circumflex tilde macron breve dotaccent ring cedilla hungarumlaut ogonek caron Lslash ' +
  'lslash Scaron scaron Zcaron zcaron brokenbar Eth eth Yacute yacute Thorn thorn minus multiply ' +
  'onesuperior twosuperior threesuperior onehalf onequarter threequarters franc Gbreve gbreve Idotaccent ' +
  'Scedilla scedilla Cacute cacute Ccaron ccaron dcroat'
).split(' ')

const HEADER_BYTES = 32
const [STANDARD, NAMED, UNNAMED] = [0x0001_0000, 0x0002_0000, 0x0003_0000]
/** Longest name that the format supports. */
const NAME_BYTES = 255

/** The names of a font's glyphs, undefined if it stores none. @throws JobFailure corrupt_input */
export function readGlyphNames(font: Font, count: number): (string | undefined)[] | undefined {
  const bytes = font.tables.get('post')
  if (!bytes || bytes.length < HEADER_BYTES) return undefined
  const data = new FontData(bytes)
  const version = data.u32(0)
  if (version === STANDARD) return macintoshNames.slice(0, count)
  if (version !== NAMED || bytes.length < HEADER_BYTES + 2) return undefined
  const stored = data.u16(HEADER_BYTES)
  const cursor = new FontCursor(data, HEADER_BYTES + 2 + 2 * stored)
  const own: string[] = []
  // The last name may be truncated, which other readers accept too.
  while (!cursor.atEnd && cursor.position + 1 + data.u8(cursor.position) <= data.length) {
    own.push(Buffer.from(cursor.take(cursor.u8())).toString('latin1'))
  }
  return Array.from({ length: Math.min(stored, count) }, (_, glyph) => {
    const index = data.u16(HEADER_BYTES + 2 + 2 * glyph)
    return index < macintoshNames.length ? macintoshNames[index] : own[index - macintoshNames.length]
  })
}

/** A `post` table without names, for fonts that have them elsewhere or not at all. */
export function postWithoutNames(font: Font): Uint8Array {
  const post = copyOf(font, 'post', HEADER_BYTES).subarray(0, HEADER_BYTES)
  post.writeUInt32BE(UNNAMED, 0)
  return post
}

/** `post` with these names. */
export function postWithNames(font: Font, names: readonly string[]): Uint8Array {
  const header = copyOf(font, 'post', HEADER_BYTES).subarray(0, HEADER_BYTES)
  header.writeUInt32BE(NAMED, 0)
  const standard = new Map(macintoshNames.map((name, index) => [name, index]))
  const own = new Map<string, number>()
  const out = new ByteWriter()
  out.bytes(header)
  out.u16(names.length)
  for (const name of names) {
    let index = standard.get(name)
    if (index === undefined) {
      index = macintoshNames.length + (own.get(name) ?? own.size)
      own.set(name, index - macintoshNames.length)
    }
    out.u16(index)
  }
  for (const name of own.keys()) {
    const bytes = Buffer.from(name, 'latin1').subarray(0, NAME_BYTES)
    out.u8(bytes.length)
    out.bytes(bytes)
  }
  return out.take()
}
