/**
 * Comments of RAR 3 and 4, which 7-Zip does not list. They are stored like files, in blocks of another type, so that 7-Zip
 * unpacks them from an archive in which they are files (RAR 4 technical note, blocks of type 0x7A).
 */
import { open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { JobFailure } from '../../../shared/errors.ts'
import { readAt } from '../formats/read-at.ts'
import { type ExtractOptions, extract } from '../seven-zip/extract.ts'
import { list } from '../seven-zip/list.ts'
import { decoderFor, decodeWith } from './names.ts'

export interface RarComments {
  archive: string | undefined
  /** Of files, by their number in the listing. */
  files: ReadonlyMap<number, string>
}

const SIGNATURE = Buffer.from('Rar!\x1a\x07\0', 'latin1')
/** How far the archive may begin after a program that unpacks it. */
const PROGRAM_BYTES = 1 << 20
const FILE = 0x74
const SERVICE = 0x7a
/** Headers of archives: reserved bytes follow, or everything after it is encrypted. */
const MAIN_BYTES = 13
const ENCRYPTED_HEADERS = 0x80
const SOLID = 0x10
const LARGE = 0x100
const HAS_DATA = 0x8000
/** Of the attributes of a comment. */
const UTF16 = 1
const NAME = 'CMT'
/** Most blocks that are looked at. */
const BLOCK_LIMIT = 1_000_000
const COMMENT_LIMIT = 10_000
const COMMENT_BYTES = 65_536

/** One comment, as a block of a file, and the number of the file that it follows; -1 is the archive's own. */
interface Packed {
  file: number
  block: Buffer
  isUtf16: boolean
}

/**
 * The comments of an archive; undefined if it has none, or none that can be read.
 * @param folder for a small file that is removed again
 */
export async function rarComments(
  path: string,
  folder: string,
  options: ExtractOptions,
): Promise<RarComments | undefined> {
  const packed = await packedComments(path)
  if (packed.length === 0) return undefined
  const own = join(folder, 'comments.rar')
  const main = Buffer.alloc(MAIN_BYTES)
  main[2] = 0x73
  main.writeUInt16LE(MAIN_BYTES, 5)
  await writeFile(own, Buffer.concat([SIGNATURE, withSum(main), ...packed.map(({ block }) => block)]))
  try {
    return await unpacked(own, packed, options)
  } catch (error) {
    // The files themselves are read and verified nevertheless.
    if (error instanceof JobFailure) return undefined
    throw error
  } finally {
    await rm(own)
  }
}

async function unpacked(
  path: string,
  packed: readonly Packed[],
  options: ExtractOptions,
): Promise<RarComments> {
  const { members } = await list(path, options.password)
  let archive: string | undefined
  const files = new Map<number, string>()
  for await (const { index, data } of extract(path, members, options)) {
    const pieces: Buffer[] = []
    for await (const piece of data) pieces.push(Buffer.from(piece))
    const { file, isUtf16 } = packed[index]!
    const text = textOf(Buffer.concat(pieces), isUtf16)
    if (file < 0) archive = text
    else files.set(file, text)
  }
  return { archive, files }
}

function textOf(bytes: Buffer, isUtf16: boolean): string {
  const text = isUtf16 ? bytes.toString('utf16le') : decodeWith(decoderFor([bytes], 'pcs'), bytes)
  return text.toWellFormed().replace(/\0.*$/s, '').trimEnd()
}

/** Reads the headers of all blocks. */
async function packedComments(path: string): Promise<Packed[]> {
  await using handle = await open(path)
  const { size } = await handle.stat()
  const head = await readAt(handle, 0, Math.min(size, PROGRAM_BYTES))
  const start = head.indexOf(SIGNATURE)
  const found: Packed[] = []
  if (start < 0) return found
  let file = -1
  let at = start + SIGNATURE.length
  for (let blocks = 0; blocks < BLOCK_LIMIT && found.length < COMMENT_LIMIT; blocks++) {
    const fixed = await readAt(handle, at, 40)
    if (fixed.length < 7) return found
    const type = fixed[2]
    const flags = fixed.readUInt16LE(3)
    const headerBytes = fixed.readUInt16LE(5)
    if (headerBytes < 7 || (type === 0x73 && flags & ENCRYPTED_HEADERS)) return found
    const isLong = (type === FILE || type === SERVICE) && fixed.length >= 36
    const high = isLong && flags & LARGE ? fixed.readUInt32LE(32) * 2 ** 32 : 0
    const dataBytes = flags & HAS_DATA && fixed.length >= 11 ? fixed.readUInt32LE(7) + high : 0
    if (type === FILE) file++
    const isComment = type === SERVICE && isLong && fixed.toString('latin1', 32, 35) === NAME
    if (
      isComment &&
      !(flags & LARGE) &&
      fixed.readUInt32LE(11) <= COMMENT_BYTES &&
      dataBytes <= COMMENT_BYTES
    ) {
      const block = await readAt(handle, at, headerBytes + dataBytes)
      const isUtf16 = (fixed.readUInt32LE(28) & UTF16) !== 0
      found.push({ file, block: asFile(block, headerBytes), isUtf16 })
    }
    at += headerBytes + dataBytes
  }
  return found
}

/** The block of a comment as that of a file, which does not continue the file before it. */
function asFile(block: Buffer, headerBytes: number): Buffer {
  const header = Buffer.from(block.subarray(0, headerBytes))
  header[2] = FILE
  header.writeUInt16LE(header.readUInt16LE(3) & ~SOLID, 3)
  return Buffer.concat([withSum(header), block.subarray(headerBytes)])
}

/** A header with the lower half of its checksum at its start. */
function withSum(header: Buffer): Buffer {
  header.writeUInt16LE(crc32(header.subarray(2)) & 0xffff, 0)
  return header
}
