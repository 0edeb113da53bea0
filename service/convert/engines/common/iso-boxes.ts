/** Boxes of the ISO base media file format (ISO/IEC 14496-12, 4.2), of which MP4, HEIF, AVIF and CR3 files consist. */
import { JobFailure } from '../../../shared/errors.ts'
import { ByteReader } from './byte-reader.ts'

export interface Box {
  type: string
  /** Everything after the header. */
  body: Buffer
}

/** Size of the longest header: size, type, and a 64-bit size. */
export const HEADER_BYTES = 16

/**
 * Reads a box's header.
 * @param head its first 16 bytes, or as many as there are
 * @param room bytes from its start to its parent's end
 * @returns undefined if no box can begin there; `bytes` includes the header and may exceed `room`
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

/** Consecutive boxes in `bytes`. Throws `JobFailure` corrupt_input if one extends beyond them. */
export const boxes = (bytes: Uint8Array): Generator<Box> =>
  walk(bytes, () => {
    throw new JobFailure('jobs.corrupt_input')
  })

/** The complete boxes at the start of `bytes`. */
export const wholeBoxes = (bytes: Uint8Array): Generator<Box> => walk(bytes, () => {})

/** The body of the box at `path`, always following the first child of a name; undefined if one is missing. */
export function findBox(body: Buffer, ...path: string[]): Buffer | undefined {
  let current: Buffer | undefined = body
  for (const type of path) current = current && wholeBoxes(current).find(box => box.type === type)?.body
  return current
}

/** The version and flags at the start of a "full box", and a reader for the rest. */
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

/** Content of boxes: numbers in big-endian order, and texts. */
export const u8 = (...values: number[]) => Buffer.from(values)

export function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2)
  return bytes
}

export function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

export function u64(...values: bigint[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8)
  for (const [index, value] of values.entries()) bytes.writeBigUInt64BE(value, index * 8)
  return bytes
}

export const text = (value: string) => Buffer.from(value, 'latin1')

export function box(type: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([u32(body.length + 8), text(type), body])
}

/** A box that begins with a version and 24 bits of flags. */
export const fullBox = (type: string, version: number, flags: number, ...content: Uint8Array[]) =>
  box(type, u32(((version << 24) | flags) >>> 0), ...content)

/** The kind of a `meta` box or a track: `pict`, `vide`, … */
export const handler = (type: string) => fullBox('hdlr', 0, 0, u32(0), text(type), u32(0, 0, 0), u8(0))
