/**
 * Writes "3/12" for the third of twelve tracks into the tags of a WAV file, where TagLib only writes "3": in the frame TRCK
 * of its ID3 tag (ID3v2.4, section 4.2.1) and in IPRT of its LIST chunk.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { readAt } from '../../common/read-at.ts'
import { synchsafeAt } from '../id3.ts'

/** Maximum number of chunks that are followed, and maximum size of tags that are rewritten. */
const CHUNK_LIMIT = 1000
const TAGS_LIMIT = 64_000_000

interface Chunk {
  kind: string
  content: Buffer
}

/** Leaves files of other kinds, and files over 4 GB, unchanged. */
export async function setWavTrack(path: string, track: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    const tail = await tailOf(file, size)
    if (!tail) return
    const chunks = tail.chunks.map(({ kind, content }) => chunkOf(kind, withTrack(kind, content, track)))
    const bytes = Buffer.concat(chunks)
    await file.write(bytes, 0, bytes.length, tail.start)
    await file.truncate(tail.start + bytes.length)
    const riff = Buffer.alloc(4)
    riff.writeUInt32LE(tail.start + bytes.length - 8)
    await file.write(riff, 0, 4, 4)
  } finally {
    await file.close()
  }
}

/** Everything after the audio. */
async function tailOf(file: FileHandle, size: number): Promise<{ start: number; chunks: Chunk[] } | null> {
  if ((await readAt(file, 0, 4)).toString('latin1') !== 'RIFF') return null
  let at = 12
  let start = 0
  const chunks: Chunk[] = []
  for (let count = 0; count < CHUNK_LIMIT && at + 8 <= size; count++) {
    const head = await readAt(file, at, 8)
    const [kind, bytes] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)]
    const next = at + 8 + bytes + (bytes % 2)
    if (start > 0) {
      if (next > size + 1 || size - start > TAGS_LIMIT) return null
      chunks.push({ kind, content: await readAt(file, at + 8, bytes) })
    }
    if (kind === 'data') start = next
    at = next
  }
  return chunks.length > 0 ? { start, chunks } : null
}

function chunkOf(kind: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(kind, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

function withTrack(kind: string, content: Buffer, track: string): Buffer {
  if (/^id3 $/i.test(kind) && content.toString('latin1', 0, 4) === 'ID3\u0004') return id3With(content, track)
  return kind === 'LIST' && content.toString('latin1', 0, 4) === 'INFO' ? infoWith(content, track) : content
}

/** Numbers with seven bits per byte. */
const synchsafe = (value: number) => Buffer.from([21, 14, 7, 0].map(shift => (value >>> shift) & 127))

function id3With(tag: Buffer, track: string): Buffer {
  for (let at = 10; at + 10 <= tag.length; ) {
    const size = synchsafeAt(tag, at + 4)
    const end = at + 10 + size
    if (tag[at] === 0 || end > tag.length) return tag
    if (tag.toString('latin1', at, at + 4) === 'TRCK') {
      const text = Buffer.from(`\u0003${track}`)
      const changed = Buffer.concat([
        ...[tag.subarray(0, at + 4), synchsafe(text.length), tag.subarray(at + 8, at + 10)],
        ...[text, tag.subarray(end)],
      ])
      synchsafe(changed.length - 10).copy(changed, 6)
      return changed
    }
    at = end
  }
  return tag
}

function infoWith(list: Buffer, track: string): Buffer {
  const parts = [list.subarray(0, 4)]
  for (let at = 4; at + 8 <= list.length; ) {
    const [kind, bytes] = [list.toString('latin1', at, at + 4), list.readUInt32LE(at + 4)]
    const content = kind === 'IPRT' ? Buffer.from(`${track}\0`) : list.subarray(at + 8, at + 8 + bytes)
    parts.push(chunkOf(kind, content))
    at += 8 + bytes + (bytes % 2)
  }
  return Buffer.concat(parts)
}
