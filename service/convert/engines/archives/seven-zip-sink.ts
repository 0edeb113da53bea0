/** Bzip2 and XZ, packed by 7-Zip on several cores. */
import { type Running, start } from './seven-zip/program.ts'
import { pipeInto, type Sink, writeCopy } from './sink.ts'

interface Packing {
  format: 'bzip2' | 'xz'
  level: number
  cores: number
  /** Passes on what 7-Zip has packed; by default all of it, as it is. */
  pass?: (packed: AsyncIterable<Uint8Array>, sink: Sink) => Promise<void>
}

/** Packs what is written to it into `sink`. Dispose of it, which ends the program if `end` did not. */
export class SevenZipSink implements Sink, AsyncDisposable {
  readonly #sink: Sink
  readonly #program: Running
  readonly #passing: Promise<void>

  /** @param level 1 to 7; from 7 on bzip2 packs each block twice to find the smaller one */
  constructor(sink: Sink, { format, level, cores, pass = pipeInto }: Packing) {
    this.#sink = sink
    this.#program = start(['a', `-t${format}`, `-mx=${level}`, `-mmt=${cores}`, '-si', '-so', '-bd', 'tar'])
    this.#passing = pass(this.#program.child.stdout, sink)
    this.#passing.catch(() => {})
  }

  write(bytes: Uint8Array): Promise<void> {
    return writeCopy(this.#program.child.stdin, bytes, this.#passing, this.#program.ended)
  }

  async end(): Promise<void> {
    await this.finish()
    await this.#sink.end()
  }

  /** The same, with the sink left open. */
  async finish(): Promise<void> {
    this.#program.child.stdin.end()
    await this.#passing
    const { code, log } = await this.#program.ended
    if (code !== 0) throw new Error(`7-Zip ended with ${code}: ${log}`)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.#program[Symbol.asyncDispose]())
  }
}
