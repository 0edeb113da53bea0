/** Boxes of the ISO base media file format (ISO/IEC 14496-12, 4.2), which HEIF and CR3 files are made of. */
import { JobFailure } from '../errors.ts'
import { ByteReader } from './byte-reader.ts'

export interface Box {
  type: string
  /** What follows the header. */
  body: Uint8Array
}

/** Boxes that follow each other in `bytes`. Throws `JobFailure` corrupt_input for one that ends beyond them. */
export function* boxes(bytes: Uint8Array): Generator<Box> {
  const reader = new ByteReader(bytes)
  while (reader.remaining >= 8) {
    const start = reader.position
    let size = reader.u32()
    const type = reader.latin1(4)
    if (size === 1) size = reader.u64()
    else if (size === 0) size = bytes.length - start
    const header = reader.position - start
    if (size < header) throw new JobFailure('jobs.corrupt_input')
    yield { type, body: reader.take(size - header) }
  }
}

/** Version and flags that a "full box" begins with, and a reader of what follows them. */
export function fullBox(body: Uint8Array): { version: number; flags: number; reader: ByteReader } {
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
