/** Names of glyphs: OpenType 1.9.1, table `post`. */
import { ByteWriter, FontCursor, FontData } from '../sfnt/data.ts'
import { copyOf, type Font } from '../sfnt/font.ts'
import { macintoshNames } from './macintosh-names.ts'

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
