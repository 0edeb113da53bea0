import { type BinaryToTextEncoding, createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** Hash of what a file of any size contains, by default SHA-256 in hexadecimal. */
export async function hashOfFile(
  path: string,
  algorithm = 'sha256',
  encoding: BinaryToTextEncoding = 'hex',
): Promise<string> {
  const hash = createHash(algorithm)
  await pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), hash)
  return hash.digest(encoding)
}
