/** Compressed files unpacked by 7-Zip. */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { failureOf, start } from './seven-zip/program.ts'

/** Exit codes of 7-Zip up to this one are warnings, such as about bytes after the end. */
const WARNING = 1

/** 7-Zip's message, which it calls an error, about bytes after the end, such as the padding of tapes. */
const TRAILING = 'There are some data after the end of the payload data'

/** Everything was read, but something else follows it. */
export class TrailingBytes extends JobFailure {}

/** A file, or a stretch of one. */
export interface FileRange {
  path: string
  /** Position of the first byte. */
  start?: number
  /** Position of the last byte. */
  end?: number
}

export type Compression = 'bzip2' | 'gzip' | 'xz' | 'zstd'

/**
 * The content of a compressed file, including all its streams.
 * @throws JobFailure corrupt_input, while it is read; TrailingBytes after the last stream
 */
export async function* unpacked(
  { path, ...stretch }: FileRange,
  format: Compression,
  cores: number,
): AsyncGenerator<Uint8Array> {
  const isWhole = stretch.start === undefined
  const source = isWhole ? ['--', path] : ['-si']
  await using program = start(['x', '-so', '-bd', `-t${format}`, `-mmt=${cores}`, ...source])
  if (isWhole) program.child.stdin.end()
  // If either ends early, so does 7-Zip, which reports why.
  else pipeline(createReadStream(path, stretch), program.child.stdin).catch(() => {})
  yield* program.child.stdout
  const { code, log } = await program.ended
  if (code !== null && code <= WARNING) return
  const errors = log.split('\n').filter(line => line.startsWith('ERROR'))
  if (errors.length === 1 && errors[0]?.includes(TRAILING)) {
    throw new TrailingBytes('jobs.corrupt_input', message('archive.damaged'))
  }
  throw failureOf(log, false)
}
