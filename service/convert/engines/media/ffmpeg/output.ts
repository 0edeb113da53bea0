import { PassThrough } from 'node:stream'
import { type Finished, type Run, run } from './run.ts'

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
