/** Writes 7z: one solid block of LZMA2, which 7-Zip packs, and a header of our own, so that nothing is unpacked to disk. */
import { crc32 } from 'node:zlib'
import type { ArchiveEntry, Content, Member } from '../model.ts'
import { SevenZipSink } from '../seven-zip-sink.ts'
import type { FileSink } from '../sink.ts'
import { headerOf, type Packed, START_BYTES, startOf, type WrittenMember } from './header.ts'
import { writeLzma2 } from './lzma2.ts'

/** Up to this size, what several hard links mean is kept while it is written for all of them. */
const HELD_BYTES = 32 * 2 ** 20

export interface SevenZipWriteOptions {
  /** 1 to 9. */
  level: number
  cores: number
  /** The same members once more. */
  again: () => Promise<AsyncIterable<Member>>
}

/** Writes all members; the sink, which must be empty, is left open. Hard links, which 7z lacks, become copies at the end. */
export async function writeSevenZip(
  members: AsyncIterable<Member>,
  sink: FileSink,
  { level, cores, again }: SevenZipWriteOptions,
): Promise<void> {
  await sink.write(Buffer.alloc(START_BYTES))
  const written: WrittenMember[] = []
  const packed = await pack(sink, { level, cores }, async put => {
    const links = new Map<string, ArchiveEntry[]>()
    for await (const { entry, data } of members) {
      if (entry.kind === 'hardlink') links.set(entry.target!, [...(links.get(entry.target!) ?? []), entry])
      else written.push(await put(entry, data ?? [Buffer.from(entry.target ?? '')]))
    }
    while (links.size > 0) for (const copy of await copies(links, await again(), put)) written.push(copy)
  })
  const header = headerOf(written, packed)
  const at = sink.bytes
  await sink.write(header)
  await sink.patch(0, startOf(at, header))
}

type Put = (entry: ArchiveEntry, data: Content) => Promise<WrittenMember>

/** Runs what puts members, and packs their content; null if there is none. */
async function pack(
  sink: FileSink,
  { level, cores }: { level: number; cores: number },
  fill: (put: Put) => Promise<void>,
): Promise<Packed | null> {
  let dictionary = 0
  let total = 0
  await using packer = new SevenZipSink(sink, {
    ...{ format: 'xz', level, cores },
    pass: async (xz, to) => {
      dictionary = await writeLzma2(xz, to)
    },
  })
  await fill(async (entry, data) => {
    let size = 0
    let crc = 0
    for await (const chunk of data) {
      size += chunk.length
      crc = crc32(chunk, crc)
      await packer.write(chunk)
    }
    if (entry.kind === 'file' && size !== entry.size)
      throw new Error(`${entry.path} is not as long as its entry says`)
    total += size
    return { entry, size, crc: size > 0 ? crc : undefined }
  })
  if (total === 0) return null
  await packer.finish()
  return { bytes: sink.bytes - START_BYTES, dictionary }
}

/** Writes what hard links mean, as files of their own; those of a large file one by one, in further runs. */
async function copies(
  links: Map<string, ArchiveEntry[]>,
  members: AsyncIterable<Member>,
  put: Put,
): Promise<WrittenMember[]> {
  const found: WrittenMember[] = []
  for await (const { entry, data } of members) {
    const waiting = links.get(entry.path)
    if (!waiting || !data) continue
    const held = entry.size <= HELD_BYTES ? await Array.fromAsync(data, piece => Buffer.from(piece)) : null
    const now = held ? waiting.splice(0) : waiting.splice(0, 1)
    for (const link of now) found.push(await put({ ...link, kind: 'file', size: entry.size }, held ?? data))
    if (waiting.length === 0) links.delete(entry.path)
  }
  if (found.length === 0) throw new Error('what hard links mean is missing')
  return found
}
