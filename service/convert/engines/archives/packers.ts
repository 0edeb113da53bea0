/** Deflates small files, each as a whole, with few zlib streams: setting one up takes about as long as packing a small file. */
import { constants, createDeflateRaw, type DeflateRaw } from 'node:zlib'
import type { ConcurrencyLimit } from '../common/concurrency.ts'
import { release, releasePiece } from './release.ts'

const CHUNK_BYTES = 256 * 1024

export class Packers implements Disposable {
  readonly #level: number
  readonly #limit: ConcurrencyLimit
  readonly #all: DeflateRaw[] = []
  readonly #idle: DeflateRaw[] = []

  constructor(level: number, limit: ConcurrencyLimit) {
    this.#level = level
    this.#limit = limit
  }

  /** The packed bytes, in memory of their own; undefined if they would not be fewer. */
  pack(bytes: Uint8Array): Promise<Buffer | undefined> {
    return this.#limit.run(async () => {
      const stream = this.#idle.pop() ?? this.#another()
      const packed = Buffer.allocUnsafeSlow(bytes.length)
      let length = 0
      const take = (piece: Buffer) => {
        if (length + piece.length < packed.length) packed.set(piece, length)
        length += piece.length
        releasePiece(piece)
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      stream.on('data', take).once('error', reject)
      stream.write(bytes)
      stream.flush(constants.Z_FINISH, resolve)
      await promise
      stream.off('data', take).off('error', reject)
      stream.reset()
      this.#idle.push(stream)
      if (length < bytes.length) return packed.subarray(0, length)
      release(packed)
      return undefined
    })
  }

  #another(): DeflateRaw {
    const stream = createDeflateRaw({ level: this.#level, chunkSize: CHUNK_BYTES })
    this.#all.push(stream)
    return stream
  }

  [Symbol.dispose](): void {
    for (const stream of this.#all) stream.close()
  }
}
