/** Unpacks stored and deflated ZIP entries: small ones together with their neighbours, large ones piece by piece. */
import { type FileHandle, open } from 'node:fs/promises'
import { crc32, createInflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { type ByteSource, FileBytes } from '../byte-queue.ts'
import type { Content } from '../model.ts'
import { release, releasePiece } from '../release.ts'
import type { Item } from '../streamed.ts'
import { dataOffset, LOCAL_BYTES, localBytes, readAt, ZipError, type ZipRecord } from '../zip-directory.ts'

/** Entries up to this size, both packed and unpacked, are unpacked as a whole. */
const SMALL_BYTES = 1 << 20
/** How many bytes are read at once for them: one with its header, or many. */
const STRETCH_BYTES = SMALL_BYTES + (1 << 17)
const CHUNK_BYTES = 256 * 1024
/** How much larger than in the directory the extra fields of a local header may be. */
const SPARE_BYTES = 64
/** The smallest output buffer that zlib accepts. */
const MIN_CHUNK_BYTES = 64

/** The part of a record that is needed for unpacking. */
export interface EntryData
  extends Pick<ZipRecord, 'method' | 'crc' | 'bytes' | 'compressedBytes' | 'offset'> {
  /** End of its data, if its local header has the expected length. */
  end: number
}

export const placeOf = ({
  method,
  crc,
  bytes,
  compressedBytes,
  offset,
  name,
  extra,
}: ZipRecord): EntryData => {
  const end = offset + LOCAL_BYTES + name.length + extra.length + SPARE_BYTES + compressedBytes
  return { method, crc, bytes, compressedBytes, offset, end }
}

/** Yields the number and the data of every requested item that is not a folder, in order; each has a place. */
export async function* unpackZip(
  path: string,
  items: readonly Pick<Item, 'isFolder'>[],
  places: readonly EntryData[],
  isWanted: (index: number) => boolean = () => true,
): AsyncGenerator<{ index: number; data: Content }> {
  await using file = await open(path)
  const stretch = new Stretch(file)
  for (const [index, record] of places.entries()) {
    if (items[index]!.isFolder || !isWanted(index)) continue
    const isSmall = record.bytes <= SMALL_BYTES && record.compressedBytes <= SMALL_BYTES
    yield { index, data: isSmall ? whole(stretch, record) : stream(file, record) }
  }
}

/** A stretch of the file, of which small entries that follow each other are read with one call. */
class Stretch {
  readonly #file: FileHandle
  readonly #memory = Buffer.allocUnsafeSlow(STRETCH_BYTES)
  #start = 0
  #bytes = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  /** An entry's packed bytes, until the next call. @throws ZipError */
  async packed({ offset, end, compressedBytes }: EntryData): Promise<Buffer> {
    if (offset >= 0 && (offset < this.#start || end > this.#start + this.#bytes)) {
      const { bytesRead } = await this.#file.read(this.#memory, 0, STRETCH_BYTES, offset)
      this.#start = offset
      this.#bytes = bytesRead
    }
    const local = this.#memory.subarray(offset - this.#start, this.#bytes)
    const start = offset < 0 || local.length < LOCAL_BYTES ? undefined : localBytes(local)
    if (start !== undefined && start + compressedBytes <= local.length)
      return local.subarray(start, start + compressedBytes)
    return readAt(this.#file, await dataOffset(this.#file, offset), compressedBytes)
  }
}

/** An entry in one piece. */
async function* whole(stretch: Stretch, record: EntryData): AsyncGenerator<Uint8Array> {
  let content: Buffer
  try {
    const packed = await stretch.packed(record)
    content = checked(record, record.method === 0 ? packed : inflateRawSync(packed, limitsOf(record.bytes)))
  } catch (error) {
    throw failureOf(error)
  }
  yield content
  if (record.method !== 0) release(content)
}

/** Room for one byte more than expected, so that the end is found without requesting a second piece. */
const limitsOf = (bytes: number) => ({
  maxOutputLength: Math.max(1, bytes),
  chunkSize: Math.max(MIN_CHUNK_BYTES, bytes + 1),
})

function checked({ bytes, crc }: EntryData, content: Buffer): Buffer {
  if (content.length !== bytes || crc32(content) !== crc) throw damaged()
  return content
}

const damaged = (error?: unknown) =>
  new JobFailure('jobs.corrupt_input', message('archive.damaged'), { cause: error })

const isDamage = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  return error instanceof ZipError || code?.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE' || false
}

/** Converts errors caused by a damaged archive to its failure. */
const failureOf = (error: unknown): unknown => (isDamage(error) ? damaged(error) : error)

async function* stream(file: FileHandle, record: EntryData): AsyncGenerator<Uint8Array> {
  try {
    let sum = 0
    let length = 0
    for await (const chunk of unpacked(file, record)) {
      length += chunk.length
      if (length > record.bytes) throw damaged()
      sum = crc32(chunk, sum)
      yield chunk
    }
    if (length !== record.bytes || sum !== record.crc) throw damaged()
  } catch (error) {
    throw failureOf(error)
  }
}

async function* unpacked(file: FileHandle, record: EntryData): AsyncGenerator<Uint8Array> {
  const start = await dataOffset(file, record.offset)
  const { size } = await file.stat()
  if (start + record.compressedBytes > size) throw new ZipError('damaged')
  const packed = new FileBytes(
    file,
    start,
    start + record.compressedBytes,
    Buffer.allocUnsafeSlow(CHUNK_BYTES),
  )
  if (record.method === 0) {
    for (let piece = await packed.some(CHUNK_BYTES); piece; piece = await packed.some(CHUNK_BYTES))
      yield piece
    return
  }
  const inflater = createInflateRaw({ chunkSize: CHUNK_BYTES })
  feed(inflater, packed).catch(error => inflater.destroy(error))
  let last: Uint8Array | undefined
  try {
    for await (const piece of inflater) {
      last = piece
      yield piece
      releasePiece(piece)
    }
  } finally {
    inflater.destroy()
  }
  if (last) release(last)
}

/** Passes on piece by piece, each after the previous one has been used, since they share one buffer. */
async function feed(inflater: InflateRaw, packed: ByteSource): Promise<void> {
  for (let piece = await packed.some(CHUNK_BYTES); piece; piece = await packed.some(CHUNK_BYTES)) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    inflater.write(piece, error => (error ? reject(error) : resolve()))
    await promise
  }
  inflater.end()
}
