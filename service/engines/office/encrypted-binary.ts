import type { CompoundFile } from '../formats/compound.ts'

/** fEncrypted of FibBase, [MS-DOC] 2.5.1. */
const WORD_FLAGS_OFFSET = 10
const WORD_ENCRYPTED = 0x0100
/** [MS-XLS] 2.4.117: a record near the start of the workbook. */
const EXCEL_FILE_PASS = 0x2f
const EXCEL_RECORDS = 20
/** headerToken of an encrypted presentation's CurrentUserAtom, [MS-PPT] 2.3.2. */
const POWERPOINT_TOKEN_OFFSET = 12
const POWERPOINT_ENCRYPTED = 0xf3d1c4df

/**
 * Whether a file of the older formats asks for a password.
 * @param stream the main one of its format
 */
export function isBinaryEncrypted(
  file: CompoundFile,
  suffix: 'doc' | 'xls' | 'ppt',
  stream: Buffer,
): boolean {
  if (suffix === 'doc') return (stream.readUInt16LE(WORD_FLAGS_OFFSET) & WORD_ENCRYPTED) !== 0
  if (suffix === 'ppt') {
    const user = file.stream('Current User')
    return (
      user !== undefined &&
      user.length >= 16 &&
      user.readUInt32LE(POWERPOINT_TOKEN_OFFSET) === POWERPOINT_ENCRYPTED
    )
  }
  for (let at = 0, record = 0; at + 4 <= stream.length && record < EXCEL_RECORDS; record++) {
    if (stream.readUInt16LE(at) === EXCEL_FILE_PASS) return true
    at += 4 + stream.readUInt16LE(at + 2)
  }
  return false
}
