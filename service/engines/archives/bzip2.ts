/** Bzip2 through 7-Zip, which packs and unpacks it on several cores. */
import { once } from 'node:events'
import { JobFailure } from '../../errors.ts'
import { message } from '../../messages/message.ts'
import { failureOf } from '../seven-zip/failure.ts'
import { type Running, start } from '../seven-zip/program.ts'
import type { Sink } from './sink.ts'

/** Exit codes of 7-Zip up to this one are warnings, such as about bytes after the end. */
const WARNING = 1

/** 7-Zip's message, which it calls an error, about bytes after the end, such as the padding of tapes. */
const TRAILING = 'There are some data after the end of the payload data'

/** Everything was read, but something else follows it. */
export class TrailingBytes extends JobFailure {}

/** Packs what is written to it into `sink`. Dispose of it, which ends the program if `end` did not. */
export class Bzip2Sink implements Sink, AsyncDisposable {
  readonly #sink: Sink
  readonly #program: Running
  readonly #passing: Promise<void>

  /** @param level 1 to 7; from 7 on each block is packed twice to find the smaller one */
  constructor(sink: Sink, { level, cores }: { level: number; cores: number }) {
    this.#sink = sink
    this.#program = start(['a', '-tbzip2', `-mx=${level}`, `-mmt=${cores}`, '-si', '-so', '-bd', 'tar'])
    this.#passing = this.#passOn()
    this.#passing.catch(() => {})
  }

  async write(bytes: Uint8Array): Promise<void> {
    const { stdin } = this.#program.child
    // A copy, since the pipe may keep the bytes for longer than they are valid.
    if (stdin.write(Buffer.from(bytes))) return
    await Promise.race([once(stdin, 'drain'), this.#passing, this.#program.ended])
  }

  async end(): Promise<void> {
    this.#program.child.stdin.end()
    await this.#passing
    const { code, log } = await this.#program.ended
    if (code !== 0) throw new Error(`7-Zip ended with ${code}: ${log}`)
    await this.#sink.end()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.#program[Symbol.asyncDispose]())
  }

  async #passOn(): Promise<void> {
    for await (const chunk of this.#program.child.stdout) await this.#sink.write(chunk)
  }
}

/**
 * The content of a bzip2 file, including all its streams.
 * @throws JobFailure corrupt_input, while it is read; TrailingBytes after the last stream
 */
export async function* bunzipped(path: string, cores: number): AsyncGenerator<Uint8Array> {
  await using program = start(['x', '-so', '-bd', '-tbzip2', `-mmt=${cores}`, '--', path])
  program.child.stdin.end()
  yield* program.child.stdout
  const { code, log } = await program.ended
  if (code !== null && code <= WARNING) return
  const errors = log.split('\n').filter(line => line.startsWith('ERROR'))
  if (errors.length === 1 && errors[0]?.includes(TRAILING)) {
    throw new TrailingBytes('jobs.corrupt_input', message('archive.damaged'))
  }
  throw failureOf(log, false)
}
