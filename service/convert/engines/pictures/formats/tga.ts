/** Pixels of TGA files (Truevision TGA 2.0). */

const HEADER = 18
/** Kinds of pixels: shades of grey, and the same in runs; those of colours have the numbers before. */
const GREY = new Set([3, 11])
const RUNS = 8

/**
 * A picture of grey and opacity, as GIMP writes it, as one of colours and opacity; any other file as it is. ImageMagick takes its two
 * bytes for a colour of fifteen bits.
 */
export function withColours(file: Buffer): Buffer {
  const [idBytes = 0, hasMap, type = 0] = file
  if (file.length < HEADER || hasMap || !GREY.has(type) || file[16] !== 16) return file
  const start = HEADER + idBytes
  const made = Buffer.alloc(start + 3 * file.length)
  file.copy(made, 0, 0, start)
  made[2] = type - 1
  made[16] = 32
  let [at, end, left] = [start, start, file.readUInt16LE(12) * file.readUInt16LE(14)]
  while (left > 0 && at < file.length) {
    const head = type > RUNS ? file[at++]! : 0
    if (type > RUNS) made[end++] = head
    const count = (head & 127) + 1
    left -= count
    for (let pixels = head > 127 ? 1 : count; pixels > 0 && at + 1 < file.length; pixels--) {
      end = made.fill(file[at]!, end, end + 3).writeUInt8(file[at + 1]!, end + 3)
      at += 2
    }
  }
  return made.subarray(0, end)
}
