import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { ByteReader } from '../../common/byte-reader.ts'

export const damagedFont = (cause?: unknown): JobFailure =>
  new JobFailure('jobs.corrupt_input', message('font.damaged'), { cause })

export const coordinatesTooLarge = (): JobFailure =>
  new JobFailure('jobs.unsupported_input', message('font.coordinates_too_large'))

/** The nearest number that a signed field of 16 bits holds. */
export const toInt16 = (value: number): number => Math.max(-32_768, Math.min(32_767, value))

/** Big-endian data of an untrusted font, read at any offset. Reading beyond its end throws `jobs.corrupt_input`. */
export class FontData {
  readonly bytes: Uint8Array
  private readonly view: DataView

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get length(): number {
    return this.bytes.length
  }

  u8(at: number): number {
    return this.view.getUint8(this.check(at, 1))
  }

  u16(at: number): number {
    return this.view.getUint16(this.check(at, 2))
  }

  i16(at: number): number {
    return this.view.getInt16(this.check(at, 2))
  }

  u24(at: number): number {
    return this.u16(at) * 256 + this.u8(at + 2)
  }

  u32(at: number): number {
    return this.view.getUint32(this.check(at, 4))
  }

  tag(at: number): string {
    return String.fromCharCode(this.u8(at), this.u8(at + 1), this.u8(at + 2), this.u8(at + 3))
  }

  /** A view of `length` bytes, not a copy. */
  slice(start: number, length = this.length - start): Uint8Array {
    this.check(start, length)
    return this.bytes.subarray(start, start + length)
  }

  /** The data from `start` on; its offsets count from there. */
  from(start: number): FontData {
    return new FontData(this.slice(start))
  }

  private check(at: number, length: number): number {
    if (!(at >= 0 && length >= 0 && at + length <= this.bytes.length)) throw damagedFont()
    return at
  }
}

/** Reads one number after another; from beyond the end nothing can be read. */
export class FontCursor extends ByteReader {
  readonly data: FontData

  constructor(source: FontData | Uint8Array, position = 0) {
    const data = source instanceof FontData ? source : new FontData(source)
    super(data.bytes, Math.min(position, data.length), data.length, damagedFont)
    this.data = data
  }

  get atEnd(): boolean {
    return this.remaining === 0
  }

  /** A signed fixed-point number with 14 bits of fraction. */
  f2dot14(): number {
    return this.i16() / 16384
  }
}

/** Big-endian bytes that grow as they are written. */
export class ByteWriter {
  private buffer: Uint8Array
  length = 0

  constructor(capacity = 256) {
    this.buffer = new Uint8Array(capacity)
  }

  u8(value: number): void {
    this.reserve(1)
    this.buffer[this.length++] = value
  }

  u16(value: number): void {
    this.reserve(2)
    this.buffer[this.length++] = value >> 8
    this.buffer[this.length++] = value
  }

  u32(value: number): void {
    this.u16(value >>> 16)
    this.u16(value)
  }

  /** Writes a tag of four characters. */
  tag(value: string): void {
    for (let i = 0; i < 4; i++) this.u8(value.charCodeAt(i))
  }

  bytes(value: ArrayLike<number>): void {
    this.reserve(value.length)
    this.buffer.set(value, this.length)
    this.length += value.length
  }

  /** Appends zeros up to a multiple of `size`. */
  pad(size: number): void {
    while (this.length % size) this.u8(0)
  }

  /** A view of the written bytes, not a copy. */
  take(): Uint8Array {
    return this.buffer.subarray(0, this.length)
  }

  /** Discards the written bytes. */
  clear(): void {
    this.length = 0
  }

  private reserve(count: number): void {
    if (this.length + count <= this.buffer.length) return
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.length + count))
    grown.set(this.buffer.subarray(0, this.length))
    this.buffer = grown
  }
}
