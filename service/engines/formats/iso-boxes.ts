/** Boxes of the ISO base media file format (ISO/IEC 14496-12, 4.2), which MP4, HEIF, AVIF and CR3 files are made of. */
import { JobFailure } from '../../errors.ts'
import { ByteReader } from './byte-reader.ts'

export interface Box {
  type: string
  /** What follows the header. */
  body: Buffer
}

/** Bytes of the longest header: size, type, and a size of 64 bits. */
export const HEADER_BYTES = 16

/**
 * Reads a box's header.
 * @param head its first 16 bytes, or as many as there are
 * @param room bytes from its start to its parent's end
 * @returns undefined where no box can begin; `bytes` counts the header in and may exceed `room`
 */
export function readHeader(
  head: Buffer,
  room: number,
): { type: string; headerBytes: number; bytes: number } | undefined {
  if (head.length < 8) return undefined
  const size = head.readUInt32BE(0)
  const isLong = size === 1
  if (isLong && head.length < HEADER_BYTES) return undefined
  const headerBytes = isLong ? HEADER_BYTES : 8
  const bytes = isLong ? Number(head.readBigUInt64BE(8)) : size === 0 ? room : size
  return bytes < headerBytes ? undefined : { type: head.toString('latin1', 4, 8), headerBytes, bytes }
}

function* walk(bytes: Uint8Array, onBroken: () => void): Generator<Box> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at + 8 <= buffer.length; ) {
    const room = buffer.length - at
    const header = readHeader(buffer.subarray(at, at + HEADER_BYTES), room)
    if (!header || header.bytes > room) return onBroken()
    yield { type: header.type, body: buffer.subarray(at + header.headerBytes, at + header.bytes) }
    at += header.bytes
  }
}

/** Boxes that follow each other in `bytes`. Throws `JobFailure` corrupt_input for one that ends beyond them. */
export const boxes = (bytes: Uint8Array): Generator<Box> =>
  walk(bytes, () => {
    throw new JobFailure('jobs.corrupt_input')
  })

/** The boxes at the start of `bytes` that are whole. */
export const wholeBoxes = (bytes: Uint8Array): Generator<Box> => walk(bytes, () => {})

/** The body of the box reached by following `path` through first children; undefined when one is absent. */
export function findBox(body: Buffer, ...path: string[]): Buffer | undefined {
  let current: Buffer | undefined = body
  for (const type of path) current = current && wholeBoxes(current).find(box => box.type === type)?.body
  return current
}

/** Version and flags that a "full box" begins with, and a reader of what follows them. */
export function readFullBox(body: Uint8Array): { version: number; flags: number; reader: ByteReader } {
  const reader = new ByteReader(body)
  const word = reader.u32()
  return { version: word >>> 24, flags: word & 0xffffff, reader }
}

/** Characters up to a zero byte or the end. */
export function zeroTerminated(reader: ByteReader): string {
  const zero = reader.bytes.indexOf(0, reader.position)
  const end = zero < 0 ? reader.end : zero
  const text = reader.latin1(end - reader.position)
  if (zero >= 0) reader.skip(1)
  return text
}
