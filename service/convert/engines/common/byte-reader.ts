import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'

const endsEarly = () => new JobFailure('jobs.corrupt_input', message('picture.ends_early'))

/**
 * A cursor over big-endian data of a hostile file, as in fonts and Macintosh formats. A read past `end` throws
 * `jobs.corrupt_input`; missing bytes are never read as zero.
 */
export class ByteReader {
  readonly bytes: Uint8Array
  readonly end: number
  position: number
  private readonly view: DataView
  private readonly failure: () => JobFailure

  /** @param failure what a read past the end throws */
  constructor(bytes: Uint8Array, start = 0, end = bytes.length, failure = endsEarly) {
    if (start < 0 || start > end || end > bytes.length) throw failure()
    this.failure = failure
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.position = start
    this.end = end
  }

  get remaining(): number {
    return this.end - this.position
  }

  /** Skips `count` bytes and returns their offset. */
  skip(count: number): number {
    const start = this.position
    if (!(count >= 0) || count > this.end - start) throw this.failure()
    this.position = start + count
    return start
  }

  /** Moves to an absolute offset. */
  seek(position: number): void {
    if (!(position >= 0) || position > this.end) throw this.failure()
    this.position = position
  }

  u8(): number {
    return this.view.getUint8(this.skip(1))
  }

  i8(): number {
    return this.view.getInt8(this.skip(1))
  }

  u16(): number {
    return this.view.getUint16(this.skip(2))
  }

  i16(): number {
    return this.view.getInt16(this.skip(2))
  }

  u32(): number {
    return this.view.getUint32(this.skip(4))
  }

  i32(): number {
    return this.view.getInt32(this.skip(4))
  }

  /** An unsigned 64-bit number; inexact beyond 2^53, which is larger than any file. */
  u64(): number {
    return Number(this.view.getBigUint64(this.skip(8)))
  }

  /** A signed 16.16 fixed-point number. */
  fixed(): number {
    return this.i32() / 65536
  }

  /** A view of the next `count` bytes, not a copy. */
  take(count: number): Uint8Array {
    const start = this.skip(count)
    return this.bytes.subarray(start, start + count)
  }

  /** The next `count` bytes as Latin-1, for signatures and keys. */
  latin1(count: number): string {
    const start = this.skip(count)
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, count).toString('latin1')
  }

  /** A reader limited to the next `count` bytes. */
  section(count: number): ByteReader {
    const start = this.skip(count)
    return new ByteReader(this.bytes, start, start + count, this.failure)
  }
}
