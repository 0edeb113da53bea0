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
