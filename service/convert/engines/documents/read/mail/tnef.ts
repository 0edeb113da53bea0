/** Reads the files that Outlook and Exchange send in one called winmail.dat ([MS-OXTNEF]). */
import { decodeText } from '../../../common/text.ts'

const SIGNATURE = 0x223e9f78
/** Attributes: the beginning of the next file, its name, and its bytes. */
const [NEXT, TITLE, DATA] = [0x00069002, 0x00018010, 0x0006800f]

/** What it contains, as far as it goes; undefined if it is none. */
export function filesInTnef(bytes: Uint8Array): { name: string; bytes: Uint8Array }[] | undefined {
  const all = Buffer.from(bytes)
  if (all.length < 6 || all.readUInt32LE(0) !== SIGNATURE) return undefined
  const files: { name: string; bytes: Uint8Array }[] = []
  for (let at = 6; at + 9 <= all.length; ) {
    const [id, start] = [all.readUInt32LE(at + 1), at + 9]
    const data = all.subarray(start, start + all.readUInt32LE(at + 5))
    if (id === NEXT) files.push({ name: '', bytes: data.subarray(0, 0) })
    const file = files.at(-1)
    if (file && id === TITLE) file.name = decodeText(data).replace(/\0.*$/s, '')
    if (file && id === DATA) file.bytes = data
    // A checksum of two bytes follows.
    at = start + data.length + 2
  }
  return files
}
