/** Builds boxes of the ISO base media file format (ISO/IEC 14496-12, 4.2). */

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

export function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
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
