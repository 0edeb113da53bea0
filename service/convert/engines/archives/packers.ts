/** Deflates small files, each as a whole, with few zlib streams: setting one up takes about as long as packing a small file. */
import { constants, createDeflateRaw, type DeflateRaw } from 'node:zlib'
import type { ConcurrencyLimit } from './deflate.ts'
import { release, releasePiece } from './release.ts'

const CHUNK_BYTES = 256 * 1024

export class Packers implements Disposable {
  readonly #level: number
  readonly #limit: ConcurrencyLimit
  readonly #all: Packer[] = []
  readonly #idle: Packer[] = []

  constructor(level: number, limit: ConcurrencyLimit) {
    this.#level = level
    this.#limit = limit
  }

  /** The packed bytes, in memory of their own; undefined if they would not be fewer. */
  pack(bytes: Uint8Array): Promise<Buffer | undefined> {
    return this.#limit.run(async () => {
      const packer = this.#idle.pop() ?? this.#another()
      const packed = await packer.pack(bytes)
      this.#idle.push(packer)
      return packed
    })
  }

  [Symbol.dispose](): void {
    for (const packer of this.#all) packer.close()
  }

  #another(): Packer {
    const packer = new Packer(this.#level)
    this.#all.push(packer)
    return packer
  }
}

/** Packs one after another. */
class Packer {
  readonly #stream: DeflateRaw
  #packed = Buffer.alloc(0)
  #length = 0

  constructor(level: number) {
    this.#stream = createDeflateRaw({ level, chunkSize: CHUNK_BYTES })
    this.#stream.on('data', (piece: Buffer) => {
      if (this.#length + piece.length < this.#packed.length) this.#packed.set(piece, this.#length)
      this.#length += piece.length
      releasePiece(piece)
    })
  }

  async pack(bytes: Uint8Array): Promise<Buffer | undefined> {
    const packed = Buffer.allocUnsafeSlow(bytes.length)
    this.#packed = packed
    this.#length = 0
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#stream.once('error', reject)
    this.#stream.write(bytes)
    this.#stream.flush(constants.Z_FINISH, resolve)
    await promise
    this.#stream.off('error', reject)
    this.#stream.reset()
    if (this.#length < bytes.length) return packed.subarray(0, this.#length)
    release(packed)
    return undefined
  }

  close(): void {
    this.#stream.close()
  }
}
