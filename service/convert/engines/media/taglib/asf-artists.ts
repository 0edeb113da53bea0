/**
 * Reads all artists of a WMA file. ASF stores one in its Content Description and the others as attributes "Author" of its
 * Extended Content Description or Metadata Library (ASF specification, sections 3.10, 3.11 and 4.8); TagLib only reads the
 * first.
 */
import { open } from 'node:fs/promises'
import { readAt } from '../../common/read-at.ts'

/** How many bytes of the header are searched; covers come after the texts, or are skipped with them. */
const HEADER_LIMIT = 1 << 20

/** Most artists taken. */
const ARTIST_LIMIT = 100

const HEADER = '3026b2758e66cf11a6d900aa0062ce6c'
const HEADER_EXTENSION = 'b503bf5f2ea9cf118ee300c00c205365'
const CONTENT = '3326b2758e66cf11a6d900aa0062ce6c'
const EXTENDED_CONTENT = '40a4d0d207e3d21197f000a0c95ea850'
const METADATA_LIBRARY = '941c23449894d149a1411d134e457054'

/** The artists in order; empty if it is not an ASF file or has none. */
export async function asfArtists(path: string): Promise<string[]> {
  const file = await open(path, 'r')
  try {
    const bytes = await readAt(file, 0, HEADER_LIMIT)
    if (bytes.toString('hex', 0, 16) !== HEADER) return []
    const found = { first: '', others: [] as string[] }
    collect(bytes, 30, Math.min(bytes.length, Number(bytes.readBigUInt64LE(16))), found)
    const { first, others } = found
    // Some programs join all of them in the first field.
    const all =
      others.length > 1 && [others.join(' '), others.toReversed().join(' ')].includes(first)
        ? others
        : [first, ...others]
    return [...new Set(all.filter(Boolean))].slice(0, ARTIST_LIMIT)
  } catch (error) {
    // A size in the header points beyond it.
    if (error instanceof RangeError) return []
    throw error
  } finally {
    await file.close()
  }
}

function collect(
  bytes: Buffer,
  start: number,
  end: number,
  found: { first: string; others: string[] },
): void {
  for (let at = start; at + 24 <= end; ) {
    const [kind, size] = [bytes.toString('hex', at, at + 16), Number(bytes.readBigUInt64LE(at + 16))]
    if (size < 24) return
    const body = bytes.subarray(at + 24, Math.min(end, at + size))
    if (kind === HEADER_EXTENSION) collect(bytes, at + 46, Math.min(end, at + size), found)
    else if (kind === CONTENT)
      found.first = text(body.subarray(10 + body.readUInt16LE(0)).subarray(0, body.readUInt16LE(2)))
    else if (kind === EXTENDED_CONTENT) found.others.push(...extended(body))
    else if (kind === METADATA_LIBRARY) found.others.push(...library(body))
    at += size
  }
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf16le').replace(/\0+$/, '')

/** Attributes of the Extended Content Description: length, name, type, length, value. */
function extended(body: Buffer): string[] {
  const authors: string[] = []
  let at = 2
  for (let left = body.readUInt16LE(0); left > 0; left--) {
    const name = text(body.subarray(at + 2, at + 2 + body.readUInt16LE(at)))
    at += 2 + body.readUInt16LE(at)
    const [type, length] = [body.readUInt16LE(at), body.readUInt16LE(at + 2)]
    if (type === 0 && name === 'Author') authors.push(text(body.subarray(at + 4, at + 4 + length)))
    at += 4 + length
  }
  return authors
}

/** Attributes of the Metadata Library: language, stream, length of the name, type, length of the value; then both. */
function library(body: Buffer): string[] {
  const authors: string[] = []
  let at = 2
  for (let left = body.readUInt16LE(0); left > 0; left--) {
    const [nameBytes, type, length] = [
      body.readUInt16LE(at + 4),
      body.readUInt16LE(at + 6),
      body.readUInt32LE(at + 8),
    ]
    const name = text(body.subarray(at + 12, at + 12 + nameBytes))
    at += 12 + nameBytes
    if (type === 0 && name === 'Author') authors.push(text(body.subarray(at, at + length)))
    at += length
  }
  return authors
}
