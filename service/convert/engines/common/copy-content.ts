import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'

/** How many bytes are copied at a time. */
const BLOCK_BYTES = 1 << 20

/** Copies what a file contains and nothing else of it: `copyFile` also sets the mode of the copy, which a worker is refused. */
export const copyContent = (from: string, to: string): Promise<void> =>
  writeFile(to, createReadStream(from, { highWaterMark: BLOCK_BYTES }))
