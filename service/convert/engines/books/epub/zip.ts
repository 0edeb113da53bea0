/** Writes the ZIP of a book (PKWARE's APPNOTE.TXT, https://www.w3.org/TR/epub-33/#sec-zip-container-zipreqs). */
import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'
import { JobFailure } from '../../../../shared/errors.ts'
import { centralHeader, endOfDirectory, localHeader, type WrittenEntry } from '../../archives/zip/records.ts'

export interface ZipFile {
  name: string
  content: Uint8Array | PackedContent
  /** For content that is already compressed, such as a JPEG. */
  stored?: boolean
}

/** A file in its packed form from another archive, copied unchanged. */
export interface PackedContent {
  packed: Uint8Array
  /** 0 is stored, 8 is deflated. */
  method: number
  crc: number
  /** Unpacked. */
  bytes: number
}

const MAX_ENTRIES = 0xffff
const MAX_BYTES = 0xffff_ffff

const deflated = promisify(deflateRaw)

/**
 * Writes an archive with these files in this order, without times; names must be unique.
 * @throws JobFailure output_too_large if it would need ZIP64, which ebook readers do not support
 */
export async function writeZip(files: readonly ZipFile[]): Promise<Buffer> {
  // Several are packed at once.
  const packed = files.map(async file => ({ name: file.name, content: await packedOf(file) }))
  return Buffer.concat(await Array.fromAsync(zipParts(packed)))
}

/** The same, part by part, with one file in memory at a time if they come one after another. */
export async function* zipParts(
  files: AsyncIterable<ZipFile> | Iterable<Promise<ZipFile>>,
): AsyncGenerator<Uint8Array> {
  const records: WrittenEntry[] = []
  let offset = 0
  for await (const file of files) {
    const { packed, method, crc, bytes: size } = await packedOf(file)
    const entry = { path: file.name, kind: 'file', size, modified: null, mode: null } as const
    const record = { entry, offset, crc, size, packedSize: packed.length, method }
    const header = localHeader(record)
    records.push(record)
    yield header
    yield packed
    offset += header.length + packed.length
    if (records.length >= MAX_ENTRIES || offset >= MAX_BYTES) throw new JobFailure('jobs.output_too_large')
  }
  const directory = Buffer.concat(records.map(centralHeader))
  const place = { start: offset, bytes: directory.length, count: records.length }
  yield directory
  yield endOfDirectory(place, undefined)
}

async function packedOf({ content, stored }: ZipFile): Promise<PackedContent> {
  if (!(content instanceof Uint8Array)) return content
  const plain = { packed: content, method: 0, crc: crc32(content), bytes: content.length }
  if (stored || content.length === 0) return plain
  const packed = await deflated(content)
  return packed.length < content.length ? { ...plain, packed, method: 8 } : plain
}
