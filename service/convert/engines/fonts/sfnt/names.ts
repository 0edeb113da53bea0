/** Names of a font: OpenType 1.9.1, table `name`. */
import { FontData } from './data.ts'
import type { Font } from './font.ts'

export const nameIds = { family: 1, subfamily: 2, full: 4, version: 5, postScript: 6 } as const

const ENGLISH_US = 0x0409
const [UNICODE, MACINTOSH, WINDOWS] = [0, 1, 3]

/** A name of a font, preferably in English; undefined if it has none or the table cannot be read. */
export function nameOf(font: Font, id: number): string | undefined {
  const bytes = font.tables.get('name')
  if (!bytes || bytes.length < 6) return undefined
  const data = new FontData(bytes)
  const storage = data.u16(4)
  let best: { text: string; rank: number } | undefined
  for (let index = 0; index < data.u16(2); index++) {
    const at = 6 + 12 * index
    if (at + 12 > data.length) break
    if (data.u16(at + 6) !== id) continue
    const [platform, language, length] = [data.u16(at), data.u16(at + 4), data.u16(at + 8)]
    const start = storage + data.u16(at + 10)
    if (start + length > data.length) continue
    const text = textOf(platform, Buffer.from(data.slice(start, length)))
    const rank = platform === WINDOWS ? (language === ENGLISH_US ? 3 : 2) : platform === UNICODE ? 1 : 0
    if (text && (!best || rank > best.rank)) best = { text, rank }
  }
  return best?.text
}

function textOf(platform: number, bytes: Buffer): string {
  if (platform === MACINTOSH) return bytes.toString('latin1')
  return bytes
    .subarray(0, bytes.length & ~1)
    .swap16()
    .toString('utf16le')
    .toWellFormed()
}
