/** PalmDOC compression (https://wiki.mobileread.com/wiki/PalmDOC): pairs of distance and length, runs of literals, and blanks. */

/** Maximum expansion of a pair of bytes, per byte. */
const GREATEST_RATIO = 8

/** Decompresses one record; pairs that point before its start are skipped. */
export function unpackPalmDoc(packed: Uint8Array): Buffer {
  const unpacked = Buffer.allocUnsafe(packed.length * GREATEST_RATIO)
  let length = 0
  for (let at = 0; at < packed.length; ) {
    const byte = packed[at++]!
    if (byte === 0 || (byte >= 0x09 && byte < 0x80)) unpacked[length++] = byte
    else if (byte < 0x09) {
      for (let left = byte; left > 0 && at < packed.length; left--) unpacked[length++] = packed[at++]!
    } else if (byte >= 0xc0) {
      unpacked[length++] = 0x20
      unpacked[length++] = byte ^ 0x80
    } else if (at < packed.length) {
      const pair = (byte << 8) | packed[at++]!
      const distance = (pair >> 3) & 0x7ff
      if (distance === 0 || distance > length) continue
      for (let left = (pair & 7) + 3; left > 0; left--, length++)
        unpacked[length] = unpacked[length - distance]!
    }
  }
  return unpacked.subarray(0, length)
}
