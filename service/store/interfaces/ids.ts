import { createHash, randomBytes } from 'node:crypto'

/**
 * A GUID of version 7 with dashes: 48 bits of Unix time in milliseconds, then random bits, so that ids sort by
 * age. RFC 9562, section 5.7.
 */
export function guid(now = Date.now()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  return formatted(bytes, 7)
}

/** The same GUID for the same texts: one of version 8 from their SHA-256. RFC 9562, section 5.8. */
export const guidOf = (...texts: string[]): string =>
  formatted(createHash('sha256').update(JSON.stringify(texts)).digest(), 8)

/** The text of a GUID from 16 bytes, in which its version and variant are set. */
function formatted(bytes: Buffer, version: number): string {
  bytes[6] = (version << 4) | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The creation time of a version 7 GUID, in milliseconds since 1970; undefined for anything else. */
export function timeOf(id: string): number | undefined {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id) ?? []
  return high && low ? Number.parseInt(high + low, 16) : undefined
}
