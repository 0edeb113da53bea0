/** TAR headers: ustar, pax, GNU, and those of Unix V7. */

export const BLOCK_BYTES = 512

export interface Header {
  /** Bytes of the name including its prefix. */
  name: Buffer
  linkName: Buffer
  mode: number
  size: number
  /** Seconds since 1970. */
  mtime: number
  type: string
}

const ZEROS = Buffer.alloc(BLOCK_BYTES)

export const isZero = (block: Buffer): boolean => block.equals(ZEROS)

/** Whether the checksum in a header is correct. */
export function hasRightSum(block: Buffer): boolean {
  let sum = 0
  for (let at = 0; at < BLOCK_BYTES; at++) sum += at >= 148 && at < 156 ? 0x20 : block[at]!
  return numberAt(block, 148, 8) === sum
}

/** Parses a header whose checksum is correct. */
export function parseHeader(block: Buffer): Header {
  const name = textAt(block, 0, 100)
  const isUstar = block.toString('latin1', 257, 263) === 'ustar\0'
  const prefix = isUstar ? textAt(block, 345, 155) : Buffer.alloc(0)
  return {
    name: prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), name]) : name,
    linkName: textAt(block, 157, 100),
    mode: numberAt(block, 100, 8),
    size: numberAt(block, 124, 12),
    mtime: numberAt(block, 136, 12),
    type: block.toString('latin1', 156, 157),
  }
}

function textAt(block: Buffer, at: number, length: number): Buffer {
  const field = block.subarray(at, at + length)
  const end = field.indexOf(0)
  return Buffer.from(end < 0 ? field : field.subarray(0, end))
}

/** A number in octal digits, or binary if its first bit is set; NaN if it is neither. */
function numberAt(block: Buffer, at: number, length: number): number {
  const first = block[at] ?? 0
  if (first & 0x80) {
    let value = first & 0x40 ? (first & 0x7f) - 128 : first & 0x3f
    for (let index = 1; index < length; index++) value = value * 256 + block[at + index]!
    return value
  }
  const text = block
    .toString('latin1', at, at + length)
    .replace(/\0.*$/s, '')
    .trim()
  if (text === '') return 0
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN
}

/**
 * Records of extended headers, `length key=value\n` each.
 * @returns undefined if they are damaged; of a repeated key, the last counts
 */
export function parsePax(bytes: Buffer): Map<string, Buffer> | undefined {
  const records = new Map<string, Buffer>()
  for (let at = 0; at < bytes.length && bytes[at] !== 0; ) {
    const space = bytes.indexOf(0x20, at)
    const length = space < 0 || space - at > 10 ? Number.NaN : Number(bytes.toString('latin1', at, space))
    const equals = bytes.indexOf(0x3d, space)
    const end = at + length
    if (!Number.isSafeInteger(length) || equals < 0 || equals >= end || end > bytes.length) return undefined
    const key = bytes.toString('utf8', space + 1, equals)
    records.set(key, Buffer.from(bytes.subarray(equals + 1, end - 1)))
    at = end
  }
  return records
}
