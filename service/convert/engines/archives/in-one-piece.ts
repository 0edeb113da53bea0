import type { Transform } from 'node:stream'

/**
 * What a zlib stream makes of some bytes, not copied if it fits into the memory that the stream reserves, its `chunkSize`: zlib
 * delivers it in several pieces there, which its functions for whole buffers join by copying, so that the memory itself remains
 * until the next garbage collection.
 * @param most the size of the result at most; anything longer is an error
 */
export function inOnePiece(stream: Transform, bytes: Uint8Array, most: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const pieces: Buffer[] = []
  let length = 0
  stream.on('data', (piece: Buffer) => {
    pieces.push(piece)
    length += piece.length
    if (length > most) stream.destroy(new RangeError('the result is longer than expected'))
  })
  stream.once('error', reject)
  stream.once('end', () => {
    const [first] = pieces
    const isTogether = first && pieces.every(({ buffer }) => buffer === first.buffer)
    resolve(isTogether ? Buffer.from(first.buffer, first.byteOffset, length) : Buffer.concat(pieces))
  })
  stream.end(bytes)
  return promise
}
