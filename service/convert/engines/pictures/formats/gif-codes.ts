/** Follows the LZW codes of a GIF frame without drawing it (GIF89a specification, appendix F). */

const MOST_CODES = 4096
const LONGEST = 12
const END = -1

/** Whether codes break off, or stand for fewer or more pixels than the frame has. @param blocks from the code size on, with their lengths */
export function lzwBreaksOff(blocks: Buffer, pixels: number): boolean {
  const start = blocks[0] ?? LONGEST
  if (start >= LONGEST) return true
  const data = joined(blocks)
  const clear = 1 << start
  /** How many pixels each code stands for. */
  const lengths = new Uint32Array(MOST_CODES).fill(1, 0, clear)
  let [size, next, previous, drawn] = [start + 1, clear + 2, END, 0]
  for (let at = 0; at + size <= 8 * data.length && drawn <= pixels; ) {
    const byte = at >> 3
    const three = data[byte]! | ((data[byte + 1] ?? 0) << 8) | ((data[byte + 2] ?? 0) << 16)
    const code = (three >> (at & 7)) & ((1 << size) - 1)
    at += size
    if (code === clear) {
      ;[size, next, previous] = [start + 1, clear + 2, END]
      continue
    }
    if (code === clear + 1) break
    if (code > next || (code === next && (previous === END || next === MOST_CODES))) return true
    if (previous !== END && next < MOST_CODES) {
      lengths[next++] = lengths[previous]! + 1
      if (next === 1 << size && size < LONGEST) size++
    }
    drawn += lengths[code]!
    previous = code
  }
  return drawn !== pixels
}

/** The content of blocks, each of which begins with its length. */
function joined(blocks: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 1; at < blocks.length && blocks[at] !== 0; at += 1 + blocks[at]!)
    parts.push(blocks.subarray(at + 1, at + 1 + blocks[at]!))
  return Buffer.concat(parts)
}
