/** Zstandard (RFC 8878), packed by Node. */
import { constants, createZstdCompress, type ZstdCompress } from 'node:zlib'
import { pipeInto, type Sink, writeCopy } from './sink.ts'

/** Packs what is written to it into `sink`. Dispose of it, which frees its memory if `end` did not. */
export class ZstdSink implements Sink, Disposable {
  readonly #sink: Sink
  readonly #stream: ZstdCompress
  readonly #passing: Promise<void>

  /** @param level 1 to 19 */
  constructor(sink: Sink, { level }: { level: number }) {
    this.#sink = sink
    this.#stream = createZstdCompress({
      params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 },
    })
    this.#passing = pipeInto(this.#stream, sink)
    this.#passing.catch(() => {})
  }

  write(bytes: Uint8Array): Promise<void> {
    return writeCopy(this.#stream, bytes, this.#passing)
  }

  async end(): Promise<void> {
    this.#stream.end()
    await this.#passing
    await this.#sink.end()
  }

  [Symbol.dispose](): void {
    this.#stream.destroy()
  }
}
