/** Unpacks stored and deflated entries of ZIP: small ones together with their neighbours, large ones piece by piece. */
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { crc32, createInflateRaw, type InflateRaw, inflateRaw, inflateRawSync } from 'node:zlib'
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

/** Entries up to this size, packed and unpacked, are unpacked as a whole. */
const SMALL_BYTES = 1 << 20
/** Up to this size unpacking takes less time than handing it to another thread. */
const AT_ONCE_BYTES = 64 * 1024
/** Most bytes of several entries that are read at once, and most that they may have unpacked. */
const RUN_BYTES = 1 << 20
const RUN_UNPACKED_BYTES = 4 << 20
const CHUNK_BYTES = 256 * 1024
/** Bytes that the extra fields of a local header may have beyond those of the directory. */
const SPARE_BYTES = 64
/** The smallest that zlib takes for its output. */
const LEAST_CHUNK_BYTES = 64

export type ZipItem = Item & { record: ZipRecord }

/** Small entries that lie near each other in the file, or a large one alone. */
interface Run {
  isSmall: boolean
  indexes: number[]
  /** Where they lie, as far as the directory tells. */
  start: number
  end: number
  unpackedBytes: number
}

interface Unpacked {
  index: number
  data: Content
}

const inflate = promisify(inflateRaw)

/** Yields the number and the data of every wanted item that is no folder, in order. */
export async function* unpackZip(
  path: string,
  items: readonly ZipItem[],
  isWanted: (index: number) => boolean = () => true,
): AsyncGenerator<Unpacked> {
  await using file = await open(path)
  const runs = runsOf(items, isWanted)
  const begin = () => {
    const { value: run } = runs.next()
    const unpacked = run && unpackRun(file, items, run)
    // It is waited for when its turn comes.
    unpacked?.catch(() => {})
    return unpacked
  }
  for (let coming = begin(); coming; ) {
    const run = await coming
    coming = begin()
    yield* run
  }
}

function* runsOf(items: readonly ZipItem[], isWanted: (index: number) => boolean): Generator<Run, undefined> {
  let run: Run | undefined
  for (const [index, { record, isFolder }] of items.entries()) {
    if (isFolder || !isWanted(index)) continue
    const { offset: start, bytes } = record
    const end = expectedEnd(record)
    const isSmall = bytes <= SMALL_BYTES && record.compressedBytes <= SMALL_BYTES
    const isNear =
      run?.isSmall &&
      isSmall &&
      start >= run.start &&
      end <= run.start + RUN_BYTES &&
      run.unpackedBytes + bytes <= RUN_UNPACKED_BYTES
    if (run && isNear) {
      run.indexes.push(index)
      run.end = Math.max(run.end, end)
      run.unpackedBytes += bytes
    } else {
      if (run) yield run
      run = { isSmall, indexes: [index], start, end, unpackedBytes: bytes }
    }
  }
  if (run) yield run
  return undefined
}

/** Where the data of an entry ends, if its local header is as long as the directory lets expect. */
const expectedEnd = ({ offset, name, extra, compressedBytes }: ZipRecord) =>
  offset + LOCAL_BYTES + name.length + extra.length + SPARE_BYTES + compressedBytes

async function unpackRun(file: FileHandle, items: readonly ZipItem[], run: Run): Promise<Unpacked[]> {
  const bytes = run.isSmall ? await readRun(file, run) : undefined
  return run.indexes.map(index => {
    const { record } = items[index]!
    return { index, data: bytes ? unpackSmall(file, record, bytes, run.start) : stream(file, record) }
  })
}

async function readRun(file: FileHandle, { start, end }: Run): Promise<Buffer> {
  // As in an archive that lies before its own start, which reading the entry by itself refuses.
  if (start < 0) return Buffer.alloc(0)
  const buffer = Buffer.allocUnsafe(end - start)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
  return buffer.subarray(0, bytesRead)
}

/** @param bytes of the file, from `start` on */
function unpackSmall(file: FileHandle, record: ZipRecord, bytes: Buffer, start: number): Content {
  const local = bytes.subarray(record.offset - start)
  if (record.method === 0 || record.bytes <= AT_ONCE_BYTES) return atOnce(file, record, local)
  const content = inThread(file, record, local)
  // It is waited for when it is read.
  content.catch(() => {})
  return [content]
}

/** @param local the bytes that were read from the local header on */
function* atOnce(
  file: FileHandle,
  record: ZipRecord,
  local: Buffer,
): Generator<Uint8Array | Promise<Uint8Array>> {
  try {
    const packed = packedIn(local, record)
    if (!packed) yield inThread(file, record, local)
    else yield checked(record, record.method === 0 ? packed : inflateRawSync(packed, limitsOf(record)))
  } catch (error) {
    throw failureOf(error)
  }
}

/** An entry unpacked in another thread, and read by itself where its bytes are not all there. */
async function inThread(file: FileHandle, record: ZipRecord, local: Buffer): Promise<Uint8Array> {
  const { method, offset, compressedBytes } = record
  try {
    const packed =
      packedIn(local, record) ?? (await readAt(file, await dataOffset(file, offset), compressedBytes))
    return checked(record, method === 0 ? packed : await inflate(packed, limitsOf(record)))
  } catch (error) {
    throw failureOf(error)
  }
}

/** @throws ZipError where no local header is at the start */
function packedIn(local: Buffer, { compressedBytes }: ZipRecord): Buffer | undefined {
  if (local.length < LOCAL_BYTES) return undefined
  const start = localBytes(local)
  return start + compressedBytes <= local.length ? local.subarray(start, start + compressedBytes) : undefined
}

/** Room for one byte more than there should be, so that the end is found without asking for a second piece. */
const limitsOf = ({ bytes }: ZipRecord) => ({
  maxOutputLength: Math.max(1, bytes),
  chunkSize: Math.max(LEAST_CHUNK_BYTES, bytes + 1),
})

function checked({ bytes, crc }: ZipRecord, content: Buffer): Buffer {
  if (content.length !== bytes || crc32(content) !== crc) throw damaged()
  return content
}

const damaged = (error?: unknown) =>
  new JobFailure('jobs.corrupt_input', message('archive.damaged'), { cause: error })

/** What a damaged archive makes reading throw, as its failure. */
function failureOf(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  const isDamage = error instanceof ZipError || code?.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE'
  return isDamage ? damaged(error) : error
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
  feed(inflater, packed).catch(error => inflater.destroy(error))
  try {
    yield* inflater
  } finally {
    inflater.destroy()
  }
}

/** Hands over piece by piece, each when the one before has been used, since they share one buffer. */
async function feed(inflater: InflateRaw, packed: ByteSource): Promise<void> {
  for (let piece = await packed.some(CHUNK_BYTES); piece; piece = await packed.some(CHUNK_BYTES)) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    inflater.write(piece, error => (error ? reject(error) : resolve()))
    await promise
  }
  inflater.end()
}
