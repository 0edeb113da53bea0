import type { Readable } from 'node:stream'

/** Bytes kept of what a worker printed: V8's report of a crash fits in. */
const TAIL_BYTES = 8192

/** Reads a stream to its end and keeps the last of it, so that a worker never waits for somebody to read what it prints. */
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
