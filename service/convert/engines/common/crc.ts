/** Checksums that take the highest bit first; zlib has those that take the lowest first. */

/** The checksum of each byte. */
export function crcTable(bits: 8 | 16 | 32, polynomial: number): Uint32Array {
  const top = 2 ** (bits - 1)
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte * 2 ** (bits - 8)
    for (let bit = 0; bit < 8; bit++)
      value = value < top ? value * 2 : (((value - top) * 2) ^ polynomial) >>> 0
    return value
  })
}
