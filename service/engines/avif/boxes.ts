/** ISO base media file format (ISO/IEC 14496-12): building boxes and walking them. */

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

/** What a `meta` box or a track holds: `pict`, `vide`, … */
export const handler = (type: string) => fullBox('hdlr', 0, 0, u32(0), text(type), u32(0, 0, 0), u8(0))

export interface Box {
  type: string
  body: Buffer
}

/** Children of a box's body; stops quietly at a box that claims to be longer than what is left. */
export function* children(body: Buffer): Generator<Box> {
  for (let at = 0; at + 8 <= body.length; ) {
    const type = body.toString('latin1', at + 4, at + 8)
    let size = body.readUInt32BE(at)
    let header = 8
    if (size === 1) {
      if (at + 16 > body.length) return
      size = Number(body.readBigUInt64BE(at + 8))
      header = 16
    } else if (size === 0) size = body.length - at
    if (size < header || at + size > body.length) return
    yield { type, body: body.subarray(at + header, at + size) }
    at += size
  }
}

/** The body of the box reached by following `path` through first children; undefined when one is absent. */
export function find(body: Buffer, ...path: string[]): Buffer | undefined {
  let current: Buffer | undefined = body
  for (const type of path) {
    if (!current) return undefined
    current = [...children(current)].find(child => child.type === type)?.body
  }
  return current
}
