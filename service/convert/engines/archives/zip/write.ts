/** Writes ZIP (PKWARE's APPNOTE.TXT) with names in UTF-8, Unix modes and times, symbolic links, and ZIP64 where it is needed. */
import { crc32 } from 'node:zlib'
import { ConcurrencyLimit } from '../../common/concurrency.ts'
import { BLOCK_BYTES, Deflater, isPacked, SAMPLE_BYTES } from '../deflate.ts'
import type { ArchiveEntry, Content, Member } from '../model.ts'
import { Packers } from '../packers.ts'
import { release } from '../release.ts'
import type { FileSink } from '../sink.ts'
import { centralHeader, endOfDirectory, localHeader, type WrittenEntry } from './records.ts'

/** How many small files are processed at once, and their maximum total size. */
const AHEAD = 64
const AHEAD_BYTES = 4 * BLOCK_BYTES
const COPY_BYTES = 512 * 1024

export interface ZipWriteOptions {
  /** 0, stored, to 9, smallest. */
  level: number
  cores: number
  /** Called when everything is written. */
  comment?: () => string | undefined
}

/** Writes all members and the directory; the sink is left open. */
export async function writeZip(
  members: AsyncIterable<Member>,
  sink: FileSink,
  { level, cores, comment }: ZipWriteOptions,
): Promise<void> {
  using writer = new ZipWriter(sink, level, cores)
  await writer.write(members, comment)
}

/** A small file that is being packed. */
interface Pending {
  written: WrittenEntry
  content: Uint8Array
  packed: Promise<Uint8Array>
}

class ZipWriter implements Disposable {
  readonly #sink: FileSink
  readonly #level: number
  readonly #cores: number
  readonly #limit: ConcurrencyLimit
  readonly #packers: Packers
  readonly #pending: Pending[] = []
  #pendingBytes = 0
  readonly #records: WrittenEntry[] = []
  /** Possible targets of hard links. */
  readonly #files = new Map<string, WrittenEntry>()

  constructor(sink: FileSink, level: number, cores: number) {
    this.#sink = sink
    this.#level = level
    this.#cores = cores
    this.#limit = new ConcurrencyLimit(cores)
    this.#packers = new Packers(level, this.#limit)
  }

  [Symbol.dispose](): void {
    this.#packers[Symbol.dispose]()
  }

  async write(members: AsyncIterable<Member>, comment?: () => string | undefined): Promise<void> {
    for await (const { entry, data } of members) {
      if (entry.kind === 'hardlink') await this.#copy(entry)
      else if (data && entry.size > BLOCK_BYTES) await this.#writeLarge(entry, data)
      else this.#startSmall(entry, data ? await whole(data, entry) : Buffer.from(entry.target ?? ''))
      while (this.#pending.length > AHEAD || this.#pendingBytes > AHEAD_BYTES) await this.#finishOne()
    }
    await this.#finishAll()
    const start = this.#sink.bytes
    for (const record of this.#records) await this.#sink.write(centralHeader(record))
    const place = { start, bytes: this.#sink.bytes - start, count: this.#records.length }
    await this.#sink.write(endOfDirectory(place, comment?.()))
  }

  #startSmall(entry: ArchiveEntry, content: Uint8Array): void {
    const size = content.length
    const isStored = this.#level === 0 || size === 0 || entry.kind !== 'file' || isPacked(content)
    const written: WrittenEntry = {
      entry,
      offset: 0,
      crc: crc32(content),
      size,
      packedSize: size,
      method: isStored ? 0 : 8,
    }
    const packed = isStored
      ? Promise.resolve(content)
      : this.#packers.pack(content).then(bytes => {
          if (!bytes) written.method = 0
          return bytes ?? content
        })
    // Its error is handled when its turn comes.
    packed.catch(() => {})
    this.#pending.push({ written, content, packed })
    this.#pendingBytes += size
    if (entry.kind === 'file') this.#files.set(entry.path, written)
  }

  async #finishOne(): Promise<void> {
    const next = this.#pending.shift()
    if (!next) return
    const bytes = await next.packed
    this.#pendingBytes -= next.content.length
    Object.assign(next.written, { offset: this.#sink.bytes, packedSize: bytes.length })
    this.#records.push(next.written)
    await this.#sink.write(localHeader(next.written))
    await this.#sink.write(bytes)
    release(bytes)
    release(next.content)
  }

  async #finishAll(): Promise<void> {
    while (this.#pending.length > 0) await this.#finishOne()
  }

  async #writeLarge(entry: ArchiveEntry, data: Content): Promise<void> {
    await this.#finishAll()
    const offset = this.#sink.bytes
    const written: WrittenEntry = { entry, offset, crc: 0, size: entry.size, packedSize: 0, method: 8 }
    const header = localHeader(written)
    await this.#sink.write(header)
    const start = this.#sink.bytes
    const chunks = piecesOf(data)
    const head = await headOf(chunks)
    const isStored = this.#level === 0 || isPacked(head)
    const options = { level: this.#level, limit: this.#limit, cores: this.#cores }
    const deflater = isStored ? undefined : new Deflater(bytes => this.#sink.write(bytes), options)
    let size = 0
    for (let chunk: Uint8Array | undefined = head; chunk; chunk = (await chunks.next()).value) {
      size += chunk.length
      written.crc = crc32(chunk, written.crc)
      await (deflater ?? this.#sink).write(chunk)
    }
    release(head)
    if (size !== entry.size) throw new Error(`${entry.path} is not as long as its entry says`)
    await deflater?.end()
    written.method = isStored ? 0 : 8
    written.packedSize = this.#sink.bytes - start
    await this.#sink.patch(offset, localHeader(written))
    this.#records.push(written)
    this.#files.set(entry.path, written)
  }

  /** A file under another name: ZIP has no hard links, but the packed bytes can be copied. */
  async #copy(entry: ArchiveEntry): Promise<void> {
    await this.#finishAll()
    const original = this.#files.get(entry.target ?? '')
    if (!original) throw new Error(`what ${entry.path} means was not written`)
    const written: WrittenEntry = { ...original, entry: { ...entry, kind: 'file' }, offset: this.#sink.bytes }
    await this.#sink.write(localHeader(written))
    const start = original.offset + localHeader(original).length
    for (let at = 0; at < original.packedSize; at += COPY_BYTES) {
      const length = Math.min(COPY_BYTES, original.packedSize - at)
      await this.#sink.write(await this.#sink.read(start + at, length))
    }
    this.#records.push(written)
  }
}

async function* piecesOf(data: Content): AsyncGenerator<Uint8Array, undefined> {
  yield* data
  return undefined
}

/** The first chunks, as many as a sample needs. */
async function headOf(chunks: AsyncIterator<Uint8Array, undefined>): Promise<Buffer> {
  const head: Buffer[] = []
  for (let length = 0; length < 2 * SAMPLE_BYTES; ) {
    const { value } = await chunks.next()
    if (!value) break
    head.push(Buffer.from(value))
    length += value.length
  }
  return Buffer.concat(head)
}

async function whole(data: Content, { path, size }: ArchiveEntry): Promise<Buffer> {
  const content = Buffer.allocUnsafeSlow(size)
  let length = 0
  for await (const chunk of data) {
    if (length + chunk.length <= size) content.set(chunk, length)
    length += chunk.length
  }
  if (length !== size) throw new Error(`${path} is not as long as its entry says`)
  return content
}
