import { PassThrough } from 'node:stream'
import { type Finished, type Run, run } from './run.ts'

/** Size of a piece in bytes: a pipe takes 64 kB at a time, and one huge write would only be in memory twice. */
const PIECE_BYTES = 1 << 18

/** Views of consecutive pieces of `bytes`, to be written to a pipe one after the other. */
export function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += PIECE_BYTES)
    yield bytes.subarray(offset, offset + PIECE_BYTES)
}

/**
 * What ffmpeg writes, as it comes; leaving the loop early stops it.
 * @param ended hears how the run ended, once all has been read
 * @throws JobFailure as `run` does
 */
export async function* outputOf(
  options: Omit<Run, 'output' | 'signal'>,
  ended: (finished: Finished) => void,
): AsyncGenerator<Buffer> {
  const output = new PassThrough()
  const left = new AbortController()
  const running = run({ ...options, output, signal: left.signal })
  running.catch(error => output.destroy(error))
  try {
    yield* output as AsyncIterable<Buffer>
    ended(await running)
  } finally {
    left.abort()
    await running.catch(() => {})
  }
}
