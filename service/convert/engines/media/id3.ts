/** Reads ID3v1 tags, and track and disc numbers from ID3v2 tags (ID3v2.3 and 2.4, section 4): "3/12" is the third of twelve. */
import type { FileHandle } from 'node:fs/promises'
import { readAt } from '../common/read-at.ts'

/** How many bytes of a tag are searched; pictures usually come after the texts. */
export const ID3_BYTES = 1 << 16

/** A number stored in bytes of seven bits. */
const synchsafeAt = (bytes: Uint8Array, at: number): number =>
  [0, 1, 2, 3].reduce((sum, nth) => sum * 128 + ((bytes[at + nth] ?? 0) & 127), 0)

/** Where a file begins after an ID3v2 tag; 0 without one. */
export async function tagEnd(file: FileHandle): Promise<number> {
  const head = await readAt(file, 0, 10)
  if (head.toString('latin1', 0, 3) !== 'ID3' || head.length < 10) return 0
  // A flag indicates a footer.
  return 10 + synchsafeAt(head, 6) + (head.readUInt8(5) & 16 ? 10 : 0)
}

export interface TrackNumbers {
  track?: string
  disc?: string
}

/** @param tag the start of a tag, or all of it */
export function id3Numbers(tag: Buffer): TrackNumbers {
  const numbers: TrackNumbers = {}
  const version = tag[3]
  if (tag.toString('latin1', 0, 3) !== 'ID3' || (version !== 3 && version !== 4)) return numbers
  for (let at = 10; at + 11 <= tag.length && tag[at] !== 0; ) {
    const size = version === 4 ? synchsafeAt(tag, at + 4) : tag.readUInt32BE(at + 4)
    const kind = tag.toString('latin1', at, at + 4)
    const [encoding = 0, ...text] = tag.subarray(at + 10, at + 10 + Math.min(size, 64))
    const wide = encoding === 1 || encoding === 2
    const value = text.flatMap(byte => (byte === 0 || (wide && byte > 126) ? [] : String.fromCharCode(byte)))
    if (kind === 'TRCK') numbers.track = value.join('')
    else if (kind === 'TPOS') numbers.disc = value.join('')
    at += 10 + size
  }
  return numbers
}

/** Length of an ID3v1 tag, the last bytes of its file. */
export const OLD_ID3_BYTES = 128

/** Texts of an ID3v1 tag by TagLib's names, and the track number of ID3v1.1; those that are empty are left out. */
export function oldId3(tag: Buffer): Record<string, string> {
  if (tag.length !== OLD_ID3_BYTES || tag.toString('latin1', 0, 3) !== 'TAG') return {}
  const text = (start: number, bytes: number) =>
    tag
      .toString('latin1', start, start + bytes)
      .replace(/\0.*$/s, '')
      .trim()
  const track = tag[125] === 0 && tag[126] ? String(tag[126]) : ''
  const fields = {
    ...{ title: text(3, 30), artist: text(33, 30), album: text(63, 30), date: text(93, 4) },
    ...{ comment: text(97, 30), trackNumber: track },
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
}
