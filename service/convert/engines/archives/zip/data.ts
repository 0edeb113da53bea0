/** Unpacks stored and deflated ZIP entries: small ones together with their neighbours, large ones piece by piece. */
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { crc32, createInflateRaw, type InflateRaw, inflateRaw } from 'node:zlib'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { type ByteSource, FileBytes } from '../byte-queue.ts'
import type { Content } from '../model.ts'
import { release, releasePiece } from '../release.ts'
import type { Item } from '../streamed.ts'
import { dataOffset, LOCAL_BYTES, localBytes, readAt, ZipError, type ZipRecord } from '../zip-directory.ts'
import { inflateSmall, ScratchBuffer } from './inflate-small.ts'

/** Entries up to this size, both packed and unpacked, are unpacked as a whole. */
const SMALL_BYTES = 1 << 20
/** How many bytes of several entries are read at once, and their maximum packed and unpacked size. */
const RUN_BYTES = 1 << 20
const RUN_UNPACKED_BYTES = 2 << 20
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

/** Small entries close to each other in the file, or a single large one. */
interface Run {
  isSmall: boolean
  indexes: number[]
  /** Their position according to the directory. */
  start: number
  end: number
  packedBytes: number
  unpackedBytes: number
}

interface Unpacked {
  index: number
  data: Content
}

/** Memory for a run. */
interface Buffers {
  read: ScratchBuffer
  framed: ScratchBuffer
  /** The result if they were unpacked together. */
  unpacked: Uint8Array | undefined
}

const newBuffers = (): Buffers => ({
  read: new ScratchBuffer(),
  framed: new ScratchBuffer(),
  unpacked: undefined,
})

const inflate = promisify(inflateRaw)

/** Yields the number and the data of every requested item that is not a folder, in order; each has a place. */
export async function* unpackZip(
  path: string,
  items: readonly Pick<Item, 'isFolder'>[],
  places: readonly EntryData[],
  isWanted: (index: number) => boolean = () => true,
): AsyncGenerator<Unpacked> {
  await using file = await open(path)
  const runs = runsOf(places, index => !items[index]!.isFolder && isWanted(index))
  const begin = (buffers: Buffers) => {
    const { value: run } = runs.next()
    const unpacked = run && unpackRun(file, places, run, buffers)
    // Its error is handled when its turn comes.
    unpacked?.catch(() => {})
    return unpacked
  }
  // One for the current run, one for the next.
  let [buffers, next] = [newBuffers(), newBuffers()]
  for (let coming = begin(buffers); coming; [buffers, next] = [next, buffers]) {
    const run = await coming
    coming = begin(next)
    yield* run
    if (buffers.unpacked) release(buffers.unpacked)
    buffers.unpacked = undefined
  }
}

function* runsOf(
  places: readonly EntryData[],
  isWanted: (index: number) => boolean,
): Generator<Run, undefined> {
  let run: Run | undefined
  for (const [index, { offset: start, end, bytes, compressedBytes }] of places.entries()) {
    if (!isWanted(index)) continue
    const isSmall = bytes <= SMALL_BYTES && compressedBytes <= SMALL_BYTES
    const isNear =
      run?.isSmall &&
      isSmall &&
      start >= run.start &&
      end <= run.start + RUN_BYTES &&
      run.packedBytes + compressedBytes <= RUN_BYTES &&
      run.unpackedBytes + bytes <= RUN_UNPACKED_BYTES
    if (run && isNear) {
      run.indexes.push(index)
      run.end = Math.max(run.end, end)
      run.packedBytes += compressedBytes
      run.unpackedBytes += bytes
    } else {
      if (run) yield run
      run = { isSmall, indexes: [index], start, end, packedBytes: compressedBytes, unpackedBytes: bytes }
    }
  }
  if (run) yield run
  return undefined
}

async function unpackRun(
  file: FileHandle,
  places: readonly EntryData[],
  run: Run,
  buffers: Buffers,
): Promise<Unpacked[]> {
  const records = run.indexes.map(index => places[index]!)
  const contents = run.isSmall
    ? await unpackSmall(file, records, run, buffers)
    : records.map(record => stream(file, record, buffers))
  return run.indexes.map((index, at) => ({ index, data: contents[at]! }))
}

/** Small entries, read with one call; incomplete ones are read separately. */
async function unpackSmall(
  file: FileHandle,
  records: readonly EntryData[],
  run: Run,
  buffers: Buffers,
): Promise<Content[]> {
  const bytes = await readRun(file, run, buffers)
  const packed = records.map(record => packedIn(bytes.subarray(record.offset - run.start), record))
  const deflated = packed.flatMap((data, at) => (data && records[at]!.method !== 0 ? [at] : []))
  const unpacked = await inflateSmall(
    deflated.map(at => ({ record: records[at]!, packed: packed[at]! })),
    buffers.framed,
  )
  buffers.unpacked = unpacked?.[0]
  const contents = new Map(unpacked?.map((content, position) => [deflated[position]!, content]))
  return records.map((record, at) => {
    const content = contents.get(at)
    const data = packed[at]
    if (content) return [content]
    return data && record.method === 0 ? stored(record, data) : alone(file, record)
  })
}

async function readRun(file: FileHandle, { start, end }: Run, buffers: Buffers): Promise<Buffer> {
  // As in an archive that starts before its own start, which reading the entry separately refuses.
  if (start < 0) return Buffer.alloc(0)
  const buffer = buffers.read.of(end - start)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
  return buffer.subarray(0, bytesRead)
}

/** An entry's packed bytes; undefined if they are incomplete, or there is no local header at the start. */
function packedIn(local: Buffer, { compressedBytes }: EntryData): Buffer | undefined {
  const start = local.length < LOCAL_BYTES ? undefined : localBytes(local)
  return start !== undefined && start + compressedBytes <= local.length
    ? local.subarray(start, start + compressedBytes)
    : undefined
}

function* stored(record: EntryData, packed: Buffer): Generator<Uint8Array> {
  yield checked(record, packed)
}

/** An entry that is read separately. */
async function* alone(file: FileHandle, record: EntryData): AsyncGenerator<Uint8Array> {
  const { method, offset, compressedBytes } = record
  try {
    const packed = await readAt(file, await dataOffset(file, offset), compressedBytes)
    yield checked(record, method === 0 ? packed : await inflate(packed, limitsOf(record.bytes)))
  } catch (error) {
    throw failureOf(error)
  }
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

async function* stream(file: FileHandle, record: EntryData, buffers: Buffers): AsyncGenerator<Uint8Array> {
  try {
    let sum = 0
    let length = 0
    for await (const chunk of unpacked(file, record, buffers)) {
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

async function* unpacked(file: FileHandle, record: EntryData, buffers: Buffers): AsyncGenerator<Uint8Array> {
  const start = await dataOffset(file, record.offset)
  const { size } = await file.stat()
  if (start + record.compressedBytes > size) throw new ZipError('damaged')
  const packed = new FileBytes(file, start, start + record.compressedBytes, buffers.read.of(CHUNK_BYTES))
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
