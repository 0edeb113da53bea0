/** Names of a font: OpenType 1.9.1, table `name`. */
import { FontData } from './data.ts'
import type { Font } from './font.ts'

export const nameIds = { family: 1, subfamily: 2, full: 4, postScript: 6, typographicFamily: 16 } as const

const ENGLISH_US = 0x0409
const [UNICODE, MACINTOSH, WINDOWS] = [0, 1, 3]

interface Name {
  platform: number
  language: number
  text: string
}

/** The names with these ids in a table, as far as it goes. */
export function* namesIn(table: Uint8Array, ids: readonly number[]): Generator<Name> {
  if (table.length < 6) return
  const data = new FontData(table)
  const storage = data.u16(4)
  for (let at = 6; at < 6 + 12 * data.u16(2) && at + 12 <= data.length; at += 12) {
    const [platform, language, id, length] = [
      data.u16(at),
      data.u16(at + 4),
      data.u16(at + 6),
      data.u16(at + 8),
    ]
    const start = storage + data.u16(at + 10)
    if (!ids.includes(id) || start + length > data.length) continue
    yield { platform, language, text: textOf(platform, Buffer.from(data.slice(start, length))) }
  }
}

/** A name of a font, preferably in English; undefined if it has none or the table cannot be read. */
export function nameOf(font: Font, id: number): string | undefined {
  const rankOf = ({ platform, language }: Name) =>
    platform === WINDOWS ? (language === ENGLISH_US ? 3 : 2) : platform === UNICODE ? 1 : 0
  const names = [...namesIn(font.tables.get('name') ?? new Uint8Array(), [id])]
  return names.filter(({ text }) => text).sort((one, other) => rankOf(other) - rankOf(one))[0]?.text
}

function textOf(platform: number, bytes: Buffer): string {
  if (platform === MACINTOSH) return bytes.toString('latin1')
  return bytes
    .subarray(0, bytes.length & ~1)
    .swap16()
    .toString('utf16le')
    .toWellFormed()
}
