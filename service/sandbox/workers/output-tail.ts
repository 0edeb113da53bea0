import type { Readable } from 'node:stream'

/** How many bytes of a worker's output are kept; enough for V8's crash report. */
const TAIL_BYTES = 8192

/** Reads a stream to its end and keeps the last part, so that a worker never blocks on its output. */
export function tailOf(stream: Readable | null): { text(): string; ended: Promise<void> } {
  let tail = Buffer.alloc(0)
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  if (!stream) resolve()
  stream?.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES)
  })
  stream?.once('close', resolve)
  stream?.on('error', () => {})
  return { text: () => tail.toString('utf8').trim(), ended }
}
