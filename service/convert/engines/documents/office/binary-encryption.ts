/** Detects the encryption of the older Office formats, and decrypts RC4, which Word and Excel 97 to 2003 write. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { DamagedFile } from '../../common/damage.ts'
import type { CompoundFile } from '../formats/compound.ts'
import { DEFAULT_PASSWORD, protectionFailure } from '../formats/office-encryption.ts'
import { applyRc4, type BlockKeys, cryptoApiKeys, decryptBlocks, office97Keys } from './rc4.ts'

/** The main stream of a file, and the suffix of the program that wrote it. */
interface MainStream {
  stream: string
  suffix: 'doc' | 'xls' | 'ppt'
}

/** FibBase, [MS-DOC] 2.5.1: flags, and the size of the encryption header in the table stream. */
const WORD_FLAGS_OFFSET = 10
const WORD_ENCRYPTED = 0x0100
const WORD_TABLE_1 = 0x0200
const WORD_OBFUSCATED = 0x8000
const WORD_KEY_OFFSET = 14
/** Bytes at the start of the document that are not encrypted, [MS-DOC] 2.2.6.2. */
const WORD_PLAIN_BYTES = 68
const WORD_BLOCK_BYTES = 512

/** Records that are never encrypted, [MS-XLS] 2.2.10: BOF, FilePass, UsrExcl, FileLock, InterfaceHdr, RRDInfo, RRDHead. */
const EXCEL_FILE_PASS = 0x2f
const EXCEL_PLAIN = new Set([0x0809, EXCEL_FILE_PASS, 0x0194, 0x0195, 0x00e1, 0x0196, 0x0138])
/** In this record, the stream offset of its sheet is not encrypted. */
const EXCEL_BOUND_SHEET = 0x85
const EXCEL_BLOCK_BYTES = 1024
/** FilePass is among the first records. */
const EXCEL_RECORDS = 20
const EXCEL_RC4 = 1

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

function filePassOf(stream: Buffer): Buffer | undefined {
  let seen = 0
  for (const { type, start, end } of recordsOf(stream)) {
    if (type === EXCEL_FILE_PASS) return stream.subarray(start, end)
    if (++seen >= EXCEL_RECORDS) return undefined
  }
  return undefined
}

/** Whether a file asks for a password. @throws DamagedFile when it is damaged */
export function isBinaryEncrypted(file: CompoundFile, { stream: name, suffix }: MainStream): boolean {
  const stream = file.stream(name) ?? Buffer.alloc(0)
  if (suffix === 'doc') return (stream.readUInt16LE(WORD_FLAGS_OFFSET) & WORD_ENCRYPTED) !== 0
  if (suffix === 'xls') return filePassOf(stream) !== undefined
  const user = file.stream('Current User')
  return (
    user !== undefined &&
    user.length >= 16 &&
    user.readUInt32LE(POWERPOINT_TOKEN_OFFSET) === POWERPOINT_ENCRYPTED
  )
}

/**
 * Decrypts the file in place.
 * @throws DamagedFile when it is damaged; JobFailure encrypted_input when the password is wrong or the encryption is not supported
 */
export function decryptBinary(file: CompoundFile, main: MainStream, password: string | undefined): void {
  const stream = file.stream(main.stream)
  if (!stream || main.suffix === 'ppt') throw protectionFailure('unsupported', password)
  if (main.suffix === 'doc') decryptWord(file, main.stream, stream, password)
  else decryptExcel(file, main.stream, stream, password)
}

function decryptWord(file: CompoundFile, name: string, stream: Buffer, password: string | undefined): void {
  const flags = stream.readUInt16LE(WORD_FLAGS_OFFSET)
  const tableName = flags & WORD_TABLE_1 ? '1Table' : '0Table'
  const table = file.stream(tableName)
  if (!table || flags & WORD_OBFUSCATED) throw protectionFailure('unsupported', password)
  const header = table.subarray(0, stream.readUInt32LE(WORD_KEY_OFFSET))
  const keys = keysOf(header, password ?? '', password)
  const plain = Buffer.from(stream.subarray(0, WORD_PLAIN_BYTES))
  plain.writeUInt16LE(flags & ~WORD_ENCRYPTED, WORD_FLAGS_OFFSET)
  plain.writeUInt32LE(0, WORD_KEY_OFFSET)
  const parts = [name, tableName, 'Data'].filter(part => file.has(part))
  for (const part of parts) {
    const content = file.stream(part) ?? Buffer.alloc(0)
    decryptBlocks(keys, content, WORD_BLOCK_BYTES)
    if (part === name) plain.copy(content)
    file.overwrite(part, content)
  }
}

function decryptExcel(file: CompoundFile, name: string, stream: Buffer, password: string | undefined): void {
  const pass = filePassOf(stream)
  if (!pass || pass.readUInt16LE(0) !== EXCEL_RC4) throw protectionFailure('unsupported', password)
  const keys = keysOf(pass.subarray(2), password || DEFAULT_PASSWORD, password)
  const decrypted = Buffer.from(stream)
  decryptBlocks(keys, decrypted, EXCEL_BLOCK_BYTES)
  for (const { type, start, end } of recordsOf(stream)) {
    const plainEnd = EXCEL_PLAIN.has(type) ? end : type === EXCEL_BOUND_SHEET ? start + 4 : start
    stream.copy(decrypted, start - 4, start - 4, plainEnd)
    // The record that asks for the password is replaced with zeros.
    if (type === EXCEL_FILE_PASS) decrypted.fill(0, start - 4, start - 2).fill(0, start, end)
  }
  file.overwrite(name, decrypted)
}

/** The keys of a file, given its encryption header: [MS-OFFCRYPTO] 2.3.5.1 and 2.3.6.1. */
function keysOf(header: Buffer, word: string, password: string | undefined): BlockKeys {
  const [major, minor] = [header.readUInt16LE(0), header.readUInt16LE(2)]
  const verify = (keys: BlockKeys, verifier: Buffer, hash: 'md5' | 'sha1') => {
    const content = Buffer.from(verifier)
    applyRc4(keys(0), content)
    const expected = createHash(hash).update(content.subarray(0, 16)).digest()
    if (content.length !== 16 + expected.length) throw new DamagedFile('the verifier is cut off')
    if (!timingSafeEqual(expected, content.subarray(16))) throw protectionFailure('wrong_password', password)
    return keys
  }
  if (major === 1 && minor === 1)
    return verify(office97Keys(word, header.subarray(4, 20)), header.subarray(20, 52), 'md5')
  if (major < 2 || major > 4 || minor !== 2) throw protectionFailure('unsupported', password)
  const headerBytes = header.readUInt32LE(8)
  const bits = header.readUInt32LE(12 + 16) || 40
  if (bits < 40 || bits > 128 || bits % 8) throw protectionFailure('unsupported', password)
  const verifier = header.subarray(12 + headerBytes)
  const encrypted = Buffer.concat([verifier.subarray(20, 36), verifier.subarray(40, 60)])
  return verify(cryptoApiKeys(word, verifier.subarray(4, 20), bits), encrypted, 'sha1')
}
