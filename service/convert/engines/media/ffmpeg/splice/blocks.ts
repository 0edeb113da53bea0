/** Reads encoded audio from disk block by block, so that memory use does not grow with its length. */
import { open } from 'node:fs/promises'

/** A file with an encoded part of a media file, and which of its frames are used. */
export interface EncodedPart {
  path: string
  /** Number of frames or packets to skip at its start. */
  skip: number
  /** Number of frames or packets to take; all that follow if absent. */
  take?: number
  /** Required number of samples per channel: with fewer there is a gap, and everything after it would be too early. */
  samples?: number
}

/** A part is shorter than the media file's header says, or has gaps. */
export class CannotJoinError extends Error {}

/** Bytes read at a time, many times the longest frame. */
const BLOCK_BYTES = 1 << 20

export interface AudioBlock {
  /** Overwritten by the next block. */
  bytes: Buffer
  /** Start of each whole piece, and the end of the last one. */
  bounds: number[]
}

/**
 * Splits a file into its pieces. Bytes that do not belong to a whole piece end it.
 * @param sizeAt bytes of the piece that starts at an offset: 0 if there is none, NaN if the bytes end too early
 */
export async function* blocksOf(
  path: string,
  sizeAt: (bytes: Buffer, offset: number) => number,
): AsyncGenerator<AudioBlock> {
  await using file = await open(path, 'r')
  const memory = Buffer.allocUnsafe(BLOCK_BYTES)
  let kept = 0
  for (;;) {
    const { bytesRead } = await file.read(memory, kept, BLOCK_BYTES - kept)
    if (bytesRead === 0) return
    const bytes = memory.subarray(0, kept + bytesRead)
    const bounds = [0]
    let [end, size] = [0, sizeAt(bytes, 0)]
    while (size > 0 && end + size <= bytes.length) {
      end += size
      bounds.push(end)
      size = sizeAt(bytes, end)
    }
    yield { bytes, bounds }
    if (size === 0) return
    kept = memory.copy(memory, 0, end, bytes.length)
  }
}
