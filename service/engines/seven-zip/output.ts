import type { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Output after which V8 is made to free the buffers of what has been read. */
const COLLECT_BYTES = 8 << 20

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void

/**
 * The output of a program. Node reads it into ever new buffers outside V8's heap, of which V8 sees only the small objects:
 * left alone, it collects them after a hundred megabytes.
 */
export async function* outputOf(stdout: Readable): AsyncGenerator<Uint8Array> {
  let read = 0
  for await (const chunk of stdout as AsyncIterable<Uint8Array>) {
    yield chunk
    read += chunk.length
    if (read < COLLECT_BYTES) continue
    collect({ type: 'minor' })
    read = 0
  }
}
