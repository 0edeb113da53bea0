/**
 * Deflates on several cores: each block separately, with the end of the previous one as its dictionary, so that nearly
 * nothing is lost; the method of Mark Adler's pigz (https://zlib.net/pigz/).
 */
import { constants, createDeflateRaw, deflateRawSync, type ZlibOptions } from 'node:zlib'
import type { ConcurrencyLimit } from '../common/concurrency.ts'
import { inOnePiece } from './in-one-piece.ts'
import { release } from './release.ts'

export const BLOCK_BYTES = 1 << 20
/** The size of the window of deflate. */
const WINDOW_BYTES = 32_768
/** The most that deflate adds to an incompressible block. */
const OVERHEAD_BYTES = 512
/** How many bytes are tested to see whether a file can be made smaller. */
export const SAMPLE_BYTES = 32_768
/** Minimum gain that makes compressing a file worthwhile. */
const GAIN = 0.03

/** In memory of its own, which can be freed: smaller buffers share Node's pool. */
function compress(bytes: Uint8Array, options: ZlibOptions): Promise<Buffer> {
  const chunkSize = Math.max(bytes.length + OVERHEAD_BYTES, Buffer.poolSize)
  return inOnePiece(createDeflateRaw({ ...options, chunkSize }), bytes, chunkSize)
}

/** Whether the bytes are already compressed, judged by compressing a sample. */
export function isPacked(bytes: Uint8Array): boolean {
  if (bytes.length < 2 * SAMPLE_BYTES) return false
  const middle = (bytes.length - SAMPLE_BYTES) >> 1
  const packed = deflateRawSync(bytes.subarray(middle, middle + SAMPLE_BYTES), { level: 1 })
  return packed.length > SAMPLE_BYTES * (1 - GAIN)
}

/** Deflates what is written to it, block by block, and passes it on in order. */
export class Deflater {
  readonly #output: (bytes: Uint8Array) => Promise<void>
  readonly #level: number
  readonly #limit: ConcurrencyLimit
  readonly #mostAhead: number
  readonly #ahead: { block: Buffer; packed: Promise<Buffer> }[] = []
  /** Blocks to be filled again. */
  readonly #free: Buffer[] = []
  /** The last block that was passed on, whose end the next one may need. */
  #passed: Buffer | undefined
  #block: Buffer = Buffer.allocUnsafe(BLOCK_BYTES)
  #filled = 0
  #window: Uint8Array | undefined

  constructor(
    output: (bytes: Uint8Array) => Promise<void>,
    { level, limit, cores }: { level: number; limit: ConcurrencyLimit; cores: number },
  ) {
    this.#output = output
    this.#level = level
    this.#limit = limit
    this.#mostAhead = cores + 1
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + BLOCK_BYTES - this.#filled)
      this.#block.set(piece, this.#filled)
      this.#filled += piece.length
      at += piece.length
      if (this.#filled === BLOCK_BYTES) {
        this.#start(this.#block, constants.Z_SYNC_FLUSH)
        while (this.#ahead.length > this.#mostAhead) await this.#pipeInto()
        this.#block = this.#free.pop() ?? Buffer.allocUnsafe(BLOCK_BYTES)
        this.#filled = 0
      }
    }
  }

  async end(): Promise<void> {
    this.#start(this.#block.subarray(0, this.#filled), constants.Z_FINISH)
    while (this.#ahead.length > 0) await this.#pipeInto()
    if (this.#passed) this.#free.push(this.#passed)
    for (const block of this.#free) release(block)
  }

  #start(block: Buffer, finishFlush: number): void {
    const dictionary = this.#window ? { dictionary: this.#window } : {}
    const options = { level: this.#level, finishFlush, ...dictionary }
    this.#window = block.subarray(-WINDOW_BYTES)
    const packed = this.#limit.run(() => compress(block, options))
    // Its error is handled when its turn comes.
    packed.catch(() => {})
    this.#ahead.push({ block, packed })
  }

  async #pipeInto(): Promise<void> {
    const { block, packed } = this.#ahead.shift()!
    const bytes = await packed
    await this.#output(bytes)
    release(bytes)
    if (this.#passed) this.#free.push(this.#passed)
    this.#passed = block
  }
}
