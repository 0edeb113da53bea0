/** Detects the encryption of the older Office formats. */
import type { CompoundFile } from '../formats/compound.ts'

/** The main stream of a file, and the suffix of the program that wrote it. */
interface MainStream {
  stream: string
  suffix: 'doc' | 'xls' | 'ppt'
}

/** FibBase, [MS-DOC] 2.5.1. */
const WORD_FLAGS_OFFSET = 10
const WORD_ENCRYPTED = 0x0100

/** [MS-XLS] 2.4.117, which is among the first records. */
const EXCEL_FILE_PASS = 0x2f
const EXCEL_RECORDS = 20

/** headerToken of an encrypted presentation's CurrentUserAtom, [MS-PPT] 2.3.2. */
const POWERPOINT_TOKEN_OFFSET = 12
const POWERPOINT_ENCRYPTED = 0xf3d1c4df

/** Records of a workbook: [MS-XLS] 2.1.4. */
export function* recordsOf(stream: Buffer): Generator<{ type: number; start: number; end: number }> {
  for (let at = 0; at + 4 <= stream.length; ) {
    const end = at + 4 + stream.readUInt16LE(at + 2)
    yield { type: stream.readUInt16LE(at), start: at + 4, end: Math.min(end, stream.length) }
    at = end
  }
}

function hasFilePass(stream: Buffer): boolean {
  let seen = 0
  for (const { type } of recordsOf(stream)) {
    if (type === EXCEL_FILE_PASS) return true
    if (++seen >= EXCEL_RECORDS) break
  }
  return false
}

/** Whether a file is encrypted, with a password or with one that all programs know. @throws DamagedFile when it is damaged */
export function isBinaryEncrypted(file: CompoundFile, { stream: name, suffix }: MainStream): boolean {
  const stream = file.stream(name) ?? Buffer.alloc(0)
  if (suffix === 'doc') return (stream.readUInt16LE(WORD_FLAGS_OFFSET) & WORD_ENCRYPTED) !== 0
  if (suffix === 'xls') return hasFilePass(stream)
  const user = file.stream('Current User')
  return (
    user !== undefined &&
    user.length >= 16 &&
    user.readUInt32LE(POWERPOINT_TOKEN_OFFSET) === POWERPOINT_ENCRYPTED
  )
}
