/** Gzip (RFC 1952), written on several cores. */
import { createReadStream } from 'node:fs'
import { crc32, createGunzip } from 'node:zlib'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { ConcurrencyLimit } from '../common/concurrency.ts'
import { Deflater } from './deflate.ts'
import type { Sink } from './sink.ts'
import { type FileRange, unpacked } from './unpacked.ts'

const CHUNK_BYTES = 256 * 1024

/** The first bytes: deflate, without a name or time, so that the same input gives the same bytes; made on Unix. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])

/** Packs what is written to it into `sink`. */
export class GzipSink implements Sink {
  readonly #sink: Sink
  readonly #deflater: Deflater
  #crc = 0
  #bytes = 0

  constructor(sink: Sink, { level, cores }: { level: number; cores: number }) {
    this.#sink = sink
    const limit = new ConcurrencyLimit(cores)
    this.#deflater = new Deflater(bytes => sink.write(bytes), { level, limit, cores })
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#bytes === 0 && bytes.length > 0) await this.#sink.write(HEADER)
    this.#crc = crc32(bytes, this.#crc)
    this.#bytes += bytes.length
    await this.#deflater.write(bytes)
  }

  async end(): Promise<void> {
    await this.#deflater.end()
    const trailer = Buffer.alloc(8)
    trailer.writeUInt32LE(this.#crc, 0)
    trailer.writeUInt32LE(this.#bytes % 2 ** 32, 4)
    await this.#sink.write(trailer)
    await this.#sink.end()
  }
}

/** zlib's message about bytes after a member that do not begin another one. */
const NO_MEMBER = 'incorrect header check'

/**
 * The content of a gzip file, including all its members.
 * @throws JobFailure corrupt_input, while it is read; TrailingBytes after the last member
 */
export async function* gunzipped(place: FileRange): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of inflated(place)) {
      bytes += chunk.length
      yield chunk
    }
  } catch (error) {
    const { code, message: text } = error as NodeJS.ErrnoException
    if (!code?.startsWith('Z_')) throw error
    if (text !== NO_MEMBER) {
      throw new JobFailure('jobs.corrupt_input', message('archive.damaged'), { cause: error })
    }
    yield* continued(place, bytes)
  }
}

/** The content from a position on by 7-Zip, which knows where the last member ends: Node drops what it had of it. */
async function* continued(place: FileRange, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes
  for await (const chunk of unpacked(place, 'gzip', 1)) {
    if (chunk.length > left) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

async function* inflated({ path, ...stretch }: FileRange): AsyncGenerator<Uint8Array> {
  const packed = createReadStream(path, { ...stretch, highWaterMark: CHUNK_BYTES })
  const unzip = createGunzip({ chunkSize: CHUNK_BYTES })
  packed.on('error', error => unzip.destroy(error))
  try {
    yield* packed.pipe(unzip)
  } finally {
    packed.destroy()
    unzip.destroy()
  }
}
