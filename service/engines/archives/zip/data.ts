/** Unpacks stored and deflated entries of ZIP, small ones several at once. */
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, createInflateRaw, inflateRaw } from 'node:zlib'
import { JobFailure } from '../../../errors.ts'
import { message } from '../../../messages/message.ts'
import { type ByteSource, FileBytes } from '../../formats/byte-queue.ts'
import {
  dataOffset,
  LOCAL_BYTES,
  localBytes,
  readAt,
  ZipError,
  type ZipRecord,
} from '../../formats/zip-directory.ts'
import type { Content } from '../model.ts'
import type { Item } from '../streamed.ts'

/** Entries up to this size, packed and unpacked, are read ahead as a whole. */
const SMALL_BYTES = 1 << 20
/** How many of them are on their way at once, and how large they may be together. */
const AHEAD = 16
const AHEAD_BYTES = 4 * SMALL_BYTES
const CHUNK_BYTES = 256 * 1024
/** Bytes that the extra fields of a local header may have beyond those of the directory. */
const SPARE_BYTES = 64

export type ZipItem = Item & { record: ZipRecord }

const inflate = promisify(inflateRaw)

/** Yields the number and the data of every wanted item that is no folder, in order. */
export async function* unpackZip(
  path: string,
  items: readonly ZipItem[],
  isWanted: (index: number) => boolean = () => true,
): AsyncGenerator<{ index: number; data: Content }> {
  await using file = await open(path)
  const wanted = [...items.keys()].filter(index => !items[index]!.isFolder && isWanted(index))
  const ahead = new Map<number, Promise<Buffer>>()
  let next = 0
  let aheadBytes = 0
  const fetch = () => {
    for (; next < wanted.length && ahead.size < AHEAD && aheadBytes < AHEAD_BYTES; next++) {
      const index = wanted[next]!
      const { record } = items[index]!
      if (!isSmall(record)) continue
      const read = readWhole(file, record)
      // It is waited for when its turn comes.
      read.catch(() => {})
      ahead.set(index, read)
      aheadBytes += record.bytes
    }
  }
  try {
    for (const [turn, index] of wanted.entries()) {
      next = Math.max(next, turn)
      fetch()
      const { record } = items[index]!
      const whole = ahead.get(index)
      ahead.delete(index)
      yield { index, data: whole ? only(whole) : stream(file, record) }
      if (whole) aheadBytes -= record.bytes
    }
  } finally {
    await Promise.allSettled(ahead.values())
  }
}

const isSmall = ({ bytes, compressedBytes }: ZipRecord) =>
  bytes <= SMALL_BYTES && compressedBytes <= SMALL_BYTES

async function* only(whole: Promise<Buffer>): AsyncGenerator<Uint8Array> {
  const bytes = await whole
  if (bytes.length > 0) yield bytes
}

const damaged = (error?: unknown) =>
  new JobFailure('jobs.corrupt_input', message('archive.damaged'), { cause: error })

/** What a damaged archive makes reading throw, as its failure. */
function failureOf(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  const isDamage = error instanceof ZipError || code?.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE'
  return isDamage ? damaged(error) : error
}

async function readWhole(file: FileHandle, record: ZipRecord): Promise<Buffer> {
  const { bytes, method, crc } = record
  try {
    const packed = await packedOf(file, record)
    const limit = Math.max(1, bytes)
    const content =
      method === 0
        ? packed
        : await inflate(packed, { maxOutputLength: limit, chunkSize: Math.max(64, limit) })
    if (content.length !== bytes || crc32(content) !== crc) throw damaged()
    return content
  } catch (error) {
    throw failureOf(error)
  }
}

/** The packed bytes, in one read together with the local header where that is as long as the directory lets expect. */
async function packedOf(file: FileHandle, record: ZipRecord): Promise<Buffer> {
  const { offset, compressedBytes, name, extra } = record
  // As in an archive that lies before its own start.
  if (offset < 0) throw new ZipError('damaged')
  const buffer = Buffer.allocUnsafe(LOCAL_BYTES + name.length + extra.length + SPARE_BYTES + compressedBytes)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, offset)
  const start = bytesRead >= LOCAL_BYTES ? localBytes(buffer) : 0
  if (start > 0 && start + compressedBytes <= bytesRead)
    return buffer.subarray(start, start + compressedBytes)
  return readAt(file, await dataOffset(file, offset), compressedBytes)
}

async function* stream(file: FileHandle, record: ZipRecord): AsyncGenerator<Uint8Array> {
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

async function* unpacked(file: FileHandle, record: ZipRecord): AsyncGenerator<Uint8Array> {
  const start = await dataOffset(file, record.offset)
  const { size } = await file.stat()
  if (start + record.compressedBytes > size) throw new ZipError('damaged')
  const packed = new FileBytes(file, start, start + record.compressedBytes)
  if (record.method === 0) {
    for (let piece = await packed.some(CHUNK_BYTES); piece; piece = await packed.some(CHUNK_BYTES))
      yield piece
    return
  }
  const inflater = createInflateRaw({ chunkSize: CHUNK_BYTES })
  const source = Readable.from(copies(packed))
  source.on('error', error => inflater.destroy(error))
  try {
    yield* source.pipe(inflater)
  } finally {
    source.destroy()
    inflater.destroy()
  }
}

/** The same bytes in buffers of their own, since they may be read later than the next piece. */
async function* copies(packed: ByteSource): AsyncGenerator<Buffer> {
  for (let piece = await packed.some(CHUNK_BYTES); piece; piece = await packed.some(CHUNK_BYTES)) {
    yield Buffer.from(piece)
  }
}
