/** The metadata blocks of a FLAC file (RFC 9639, section 8). */
import { type FileHandle, open } from 'node:fs/promises'
import { readAt } from '../../common/read-at.ts'
import { tagEnd } from '../id3.ts'
import { frameHeaderAt } from './frame.ts'

export const STREAM_INFO = { kind: 0, bytes: 34 }
export const COMMENTS = 4
const PICTURE = 6

/** Bytes before the content of a block: its kind and its length. */
const HEADER_BYTES = 4

const SIGNATURE = 'fLaC'

/** Maximum number of metadata blocks. */
const BLOCK_LIMIT = 10_000

/** Maximum size of the blocks with comments and pictures. */
const TAGS_LIMIT_BYTES = 128 << 20

export interface MetadataBlock {
  kind: number
  /** Offset of its content. */
  start: number
  /** Length of its content, which may be 0. */
  length: number
}

/** Where a file begins after an ID3v2 tag, which some programs put before it, and its blocks if it has a signature. */
export async function readBlocks(
  file: FileHandle,
): Promise<{ start: number; blocks: MetadataBlock[] | null }> {
  const start = await tagEnd(file)
  const mark = await readAt(file, start, SIGNATURE.length)
  if (mark.toString('latin1') !== SIGNATURE) return { start, blocks: null }
  const blocks: MetadataBlock[] = []
  let at = start + SIGNATURE.length
  while (blocks.length < BLOCK_LIMIT) {
    const head = await readAt(file, at, 32)
    // A file may have its frames right after the signature.
    if (head.length < HEADER_BYTES || frameHeaderAt(head, 0)) break
    const [first, length] = [head.readUInt8(0), head.readUIntBE(1, 3)]
    blocks.push({ kind: first & 127, start: at + HEADER_BYTES, length })
    at += HEADER_BYTES + length
    if (first & 128) break
  }
  return { start, blocks }
}

/** Offset after the last of a file's blocks. */
export const endOfBlocks = (start: number, blocks: readonly MetadataBlock[]): number => {
  const last = blocks.at(-1)
  return last ? last.start + last.length : start + SIGNATURE.length
}

/**
 * A FLAC file without sound, with the comments and pictures of the file at `path`, for readers of tags that refuse a
 * file for its other blocks, such as empty ones; null if it has none.
 */
export async function tagsAlone(path: string): Promise<Buffer | null> {
  await using file = await open(path, 'r')
  const { blocks } = await readBlocks(file)
  const kept = (blocks ?? []).filter(
    ({ kind, length }) => (kind === COMMENTS || kind === PICTURE) && length > 0,
  )
  const size = kept.reduce((sum, { length }) => sum + length, 0)
  if (kept.length === 0 || size > TAGS_LIMIT_BYTES) return null
  const contents: [kind: number, content: Buffer][] = [[STREAM_INFO.kind, Buffer.alloc(STREAM_INFO.bytes)]]
  for (const { kind, start, length } of kept) contents.push([kind, await readAt(file, start, length)])
  const written = contents.flatMap(([kind, content], index) => {
    const head = Buffer.alloc(HEADER_BYTES)
    head.writeUInt32BE(content.length)
    head[0] = kind | (index === contents.length - 1 ? 128 : 0)
    return [head, content]
  })
  return Buffer.concat([Buffer.from(SIGNATURE), ...written])
}
