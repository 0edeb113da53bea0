/** Gzip (RFC 1952), written on several cores. */
import { createReadStream } from 'node:fs'
import { crc32, createGunzip } from 'node:zlib'
import { JobFailure } from '../../errors.ts'
import { message } from '../../messages/message.ts'
import { Deflater, Turns } from './deflate.ts'
import type { Sink } from './sink.ts'

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
    const turns = new Turns(cores)
    this.#deflater = new Deflater(bytes => sink.write(bytes), { level, turns, cores })
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

/**
 * The content of a gzip file, including all its members.
 * @throws JobFailure corrupt_input, while it is read
 */
export async function* gunzipped(path: string): AsyncGenerator<Uint8Array> {
  const packed = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  const unzip = createGunzip({ chunkSize: CHUNK_BYTES })
  packed.on('error', error => unzip.destroy(error))
  try {
    yield* packed.pipe(unzip)
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error
    throw new JobFailure('jobs.corrupt_input', message('archive.damaged'), { cause: error })
  } finally {
    packed.destroy()
    unzip.destroy()
  }
}
