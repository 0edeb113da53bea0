/** The LZMA2 data of an XZ file (https://tukaani.org/xz/xz-file-format.txt), which 7z holds in the same form. */
import { ByteQueue, take } from '../byte-queue.ts'
import type { Sink } from '../sink.ts'

const STREAM_HEADER_BYTES = 12
const LZMA2 = 0x21

/** Sizes of the checksum of a block, by the number in the header. */
const CHECK_BYTES = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64]

/**
 * Writes the data of all blocks as one stream of LZMA2: each block begins with a new dictionary.
 * @param xz one stream of XZ, as 7-Zip writes it
 * @returns the size of the largest dictionary, in the form of both formats
 */
export async function writeLzma2(xz: AsyncIterable<Uint8Array>, sink: Sink): Promise<number> {
  const queue = new ByteQueue(xz)
  const header = await take(queue, STREAM_HEADER_BYTES)
  if (header.length < STREAM_HEADER_BYTES) throw brokenOff()
  const checkBytes = CHECK_BYTES[header[7]! & 15]!
  let dictionary = 0
  for (;;) {
    const [words] = await take(queue, 1)
    if (words === undefined) throw brokenOff()
    // The index, after the last block.
    if (words === 0) break
    const block = await take(queue, words * 4 + 3)
    dictionary = Math.max(dictionary, dictionaryOf(block))
    const length = words * 4 + 4 + (await writeChunks(queue, sink))
    await queue.skip((-length & 3) + checkBytes)
  }
  while (await queue.some(1 << 16)) {
    // The index says nothing new.
  }
  await sink.write(Uint8Array.of(0))
  return dictionary
}

const brokenOff = () => new Error('XZ that breaks off')

/** The property of the only filter, after the flags and the sizes that they announce; `block` lacks its first byte. */
function dictionaryOf(block: Buffer): number {
  let at = 1
  for (const announced of [block[0]! & 0x40, block[0]! & 0x80]) {
    if (announced) while (block[at++]! & 0x80);
  }
  if ((block[0]! & 3) !== 0 || block[at] !== LZMA2) throw new Error('XZ of an unknown kind')
  return block[at + 2]!
}

/** Writes the chunks of a block without its end. Returns how many bytes they took, with the end. */
async function writeChunks(queue: ByteQueue, sink: Sink): Promise<number> {
  let length = 1
  for (;;) {
    const start = await take(queue, 1)
    const [control] = start
    if (control === undefined) throw brokenOff()
    if (control === 0) return length
    const sizes = await take(queue, control < 0x80 ? 2 : control < 0xc0 ? 4 : 5)
    await sink.write(Buffer.concat([start, sizes]))
    const bytes = sizes.readUInt16BE(control < 0x80 ? 0 : 2) + 1
    for (let left = bytes; left > 0; ) {
      const piece = await queue.some(left)
      if (!piece) throw brokenOff()
      await sink.write(piece)
      left -= piece.length
    }
    length += 1 + sizes.length + bytes
  }
}
