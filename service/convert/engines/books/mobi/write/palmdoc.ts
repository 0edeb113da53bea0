/**
 * Compression of text in Palm documents, a variant of LZ77 (https://wiki.mobileread.com/wiki/PalmDOC): literals, a space and
 * the following letter in one byte, and copies of 3 to 10 bytes from up to 2047 bytes before.
 */

/** Bytes of text in a record; records are compressed separately. */
export const RECORD_BYTES = 4096

const FARTHEST = 2047
const LONGEST = 10
const SHORTEST = 3
/** Maximum number of earlier positions that are compared for each byte. */
const ATTEMPTS = 32
const HASH_BITS = 12
const NONE = -1

/** Last position of each hash, and for each position the previous one with the same hash. */
const heads = new Int16Array(1 << HASH_BITS)
const earlier = new Int16Array(RECORD_BYTES)
/** At worst every eighth byte is preceded by a count. */
const packed = new Uint8Array(RECORD_BYTES + RECORD_BYTES / 4)

/** Compresses the text of a record, at most `RECORD_BYTES`. */
export function compress(text: Uint8Array): Uint8Array {
  const { length } = text
  let used = 0
  /** Position of the count of the current run of literal bytes. */
  let run = NONE
  heads.fill(NONE)
  const hashAt = (at: number) =>
    ((text[at]! * 0x9e5f + text[at + 1]! * 0x3d4d + text[at + 2]! * 0x0b35) >>> 2) & ((1 << HASH_BITS) - 1)
  const remember = (at: number) => {
    if (at + SHORTEST > length) return
    const hash = hashAt(at)
    earlier[at] = heads[hash]!
    heads[hash] = at
  }
  const copyAsIs = (byte: number) => {
    if (run === NONE) {
      run = used++
      packed[run] = 0
    }
    packed[used++] = byte
    if (++packed[run]! === 8) run = NONE
  }

  let at = 0
  while (at < length) {
    let best = 0
    let distance = 0
    if (at + SHORTEST <= length) {
      const most = Math.min(LONGEST, length - at)
      let attempts = ATTEMPTS
      for (let from = heads[hashAt(at)]!; from !== NONE && attempts-- > 0; from = earlier[from]!) {
        if (at - from > FARTHEST) break
        let same = 0
        while (same < most && text[from + same] === text[at + same]) same++
        if (same <= best) continue
        best = same
        distance = at - from
        if (same === most) break
      }
    }
    if (best >= SHORTEST) {
      const pair = 0x8000 | (distance << 3) | (best - SHORTEST)
      packed[used++] = pair >> 8
      packed[used++] = pair
      run = NONE
      for (const end = at + best; at < end; at++) remember(at)
      continue
    }
    const byte = text[at]!
    const next = text[at + 1] ?? 0
    remember(at)
    at++
    if (byte === 0x20 && next >= 0x40 && next <= 0x7f) {
      packed[used++] = next ^ 0x80
      run = NONE
      remember(at)
      at++
    } else if (!isLiteral(byte)) copyAsIs(byte)
    // Between two bytes that need the count, a literal costs the same within the run and saves the next count.
    else if (run !== NONE && at < length && !isLiteral(next)) copyAsIs(byte)
    else {
      packed[used++] = byte
      run = NONE
    }
  }
  return packed.slice(0, used)
}

const isLiteral = (byte: number) => byte === 0 || (byte >= 9 && byte <= 0x7f)
