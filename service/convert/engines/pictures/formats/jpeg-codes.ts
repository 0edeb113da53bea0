/**
 * Follows the Huffman codes of a JPEG without decoding its pixels (ITU-T T.81, annex F). Damage in a scan hardly ever makes a code
 * invalid, but shifts all that follow: the codes then end before or after the last block, which libvips does not report.
 */
import { frameSize, isFrame, SCAN, segments } from './jpeg.ts'

export const TABLES = 0xc4
export const RESTART_INTERVAL = 0xdd
/** Frames with Huffman codes whose scans hold whole blocks: baseline, and extended sequential. */
const SEQUENTIAL = [0xc0, 0xc1]

/** Codes of at most this many bits are looked up at once. */
const QUICK = 11
const LONGEST = 16
const BLOCK = 64
/** Most bytes of a block: each of its samples has a code, and a number of at most 15 bits. */
const BLOCK_BYTES = 256

interface Codes {
  /** By the first bits: how many bits a code and the number after it have, and its symbol; 0 for longer codes. */
  quick: Int32Array
  /** By length, the first bits that are too large for such codes, and where their symbols are. */
  ends: number[]
  starts: number[]
  symbols: Uint8Array
}

const entry = (length: number, symbol: number) => ((length + (symbol & 15)) << 8) | symbol

function codesOf(counts: Uint8Array, symbols: Uint8Array): Codes {
  const codes: Codes = { quick: new Int32Array(1 << QUICK), ends: [0], starts: [0], symbols }
  for (let length = 1, code = 0, index = 0; length <= LONGEST; length++, code <<= 1) {
    codes.starts.push(index - code)
    for (let left = counts[length - 1] ?? 0; left > 0; left--, code++, index++) {
      const shift = QUICK - length
      if (shift >= 0) codes.quick.fill(entry(length, symbols[index]!), code << shift, (code + 1) << shift)
    }
    codes.ends.push(code << (LONGEST - length))
  }
  return codes
}

/** The same of a longer code that begins these bits; 0 if there is none. */
function long({ ends, starts, symbols }: Codes, bits: number): number {
  for (let length = QUICK + 1; length <= LONGEST; length++)
    if (bits < ends[length]!) return entry(length, symbols[starts[length]! + (bits >> (LONGEST - length))]!)
  return 0
}

/** What a scan reads for each unit: the codes of each of its blocks. */
type Unit = readonly { dc: Codes; ac: Codes }[]

/** Hears of a block's first number and of the others but zeros: of which unit and block within it, and its place there. */
type Hear = (unit: number, block: number, place: number, value: number) => void

/** Whether the units from `first` to `last` are all that coded data without markers hold, but for zeros that some encoders add. */
function hold(coded: Buffer, unit: Unit, first: number, last: number, hear?: Hear): boolean {
  const { data, length } = unstuffed(coded)
  const end = 8 * length
  let at = 0
  for (let index = first; index < last; index++)
    for (const [block, { dc, ac }] of unit.entries())
      for (let place = 0; place < BLOCK; ) {
        const byte = at >> 3
        const three = (data[byte]! << 16) | (data[byte + 1]! << 8) | data[byte + 2]!
        const bits = (three >> (8 - (at & 7))) & 0xffff
        const codes = place === 0 ? dc : ac
        const found = codes.quick[bits >> (LONGEST - QUICK)]! || long(codes, bits)
        at += found >> 8
        if (found === 0 || at > end) return false
        const symbol = found & 0xff
        // No more of this block, or a number after so many zeros.
        if (place > 0 && symbol === 0) break
        place += place === 0 ? 1 : (symbol >> 4) + 1
        if (place > BLOCK) return false
        if (hear && (place === 1 || symbol & 15))
          hear(index, block, place - 1, numberBefore(data, at, symbol & 15))
      }
  return data.subarray((at + 7) >> 3, length).every(byte => byte === 0)
}

/** The number in the bits before a place; those that begin with a zero are negative. */
function numberBefore(data: Uint8Array, at: number, bits: number): number {
  const byte = (at - bits) >> 3
  const three = (data[byte]! << 16) | (data[byte + 1]! << 8) | data[byte + 2]!
  const value = (three >> (24 - ((at - bits) & 7) - bits)) & ((1 << bits) - 1)
  return bits > 0 && value < 1 << (bits - 1) ? value - (1 << bits) + 1 : value
}

/** Coded data without the zero after each byte of ones, and zeros after their end. */
function unstuffed(coded: Buffer): { data: Uint8Array; length: number } {
  const data = new Uint8Array(coded.length + BLOCK_BYTES)
  let length = 0
  for (let from = 0; from < coded.length; ) {
    const ones = coded.indexOf(0xff, from)
    const end = ones < 0 ? coded.length : ones + 1
    data.set(coded.subarray(from, end), length)
    length += end - from
    from = end + 1
  }
  return { data, length }
}

/** A scan of a frame with Huffman codes and whole blocks. */
export interface Scan {
  frame: StartOfFrame
  /** The numbers of its components in the frame. */
  components: number[]
  /** Units between restart markers. */
  interval: number
  /** Reads its codes; false if they break off, or do not end with its last block. */
  read(hear?: Hear): boolean
}

/** The scans of a file that is known to decode, but for those of other frames. */
export function* scansOf(file: Buffer): Generator<Scan> {
  const tables: Codes[] = []
  let frame: StartOfFrame | undefined
  let interval = Number.POSITIVE_INFINITY
  for (const { marker, start, end, data } of segments(file)) {
    if (marker === TABLES) readTables(data, tables)
    else if (marker === RESTART_INTERVAL)
      interval = (data[0] ?? 0) * 256 + (data[1] ?? 0) || Number.POSITIVE_INFINITY
    else if (isFrame(marker)) frame = SEQUENTIAL.includes(marker) ? frameOf(data) : undefined
    if (marker !== SCAN || !frame) continue
    const { unit, count, components } = scanOf(data, frame, tables)
    const every = interval
    const read = (hear?: Hear) => {
      const pieces = [...unmarked(file.subarray(start + 4 + data.length, end))]
      if (pieces.length !== Math.max(1, Math.ceil(count / every))) return false
      const from = (index: number) => (index === 0 ? 0 : index * every)
      return pieces.every((piece, index) =>
        hold(piece, unit, from(index), Math.min(count, from(index) + every), hear),
      )
    }
    yield { frame, components, interval, read }
  }
}

/** Whether the codes in a file that is known to decode break off, or do not end with its last block. */
export const codesBreakOff = (file: Buffer): boolean => scansOf(file).some(scan => !scan.read())

export interface StartOfFrame {
  width: number
  height: number
  components: { id: number; across: number; down: number }[]
}

function frameOf(data: Buffer): StartOfFrame | undefined {
  const size = frameSize(data)
  // A height of 0 follows later, which hardly any decoder reads.
  if (!size?.height) return undefined
  const components = Array.from({ length: data[5] ?? 0 }, (_, index) => {
    const [id = 0, sampling = 0x11] = data.subarray(6 + index * 3)
    return { id, across: sampling >> 4 || 1, down: sampling & 15 || 1 }
  })
  return { ...size, components }
}

/** Each table begins with its class and number, and the number of codes of each length. */
function readTables(data: Buffer, tables: Codes[]): void {
  for (let at = 0; at + 17 <= data.length; ) {
    const counts = data.subarray(at + 1, at + 17)
    const symbols = data.subarray(at + 17, at + 17 + counts.reduce((sum, count) => sum + count, 0))
    tables[data[at]!] = codesOf(counts, symbols)
    at += 17 + symbols.length
  }
}

const NO_CODES = codesOf(new Uint8Array(LONGEST), new Uint8Array())

/** A scan of several components interleaves as many of their blocks as cover the same pixels. */
function scanOf(header: Buffer, { width, height, components }: StartOfFrame, tables: Codes[]) {
  const scanned = Array.from({ length: header[0] ?? 0 }, (_, index) => {
    const [id, numbers = 0] = header.subarray(1 + index * 2)
    const codes = { dc: tables[numbers >> 4] ?? NO_CODES, ac: tables[0x10 | (numbers & 15)] ?? NO_CODES }
    return { ...(components.find(each => each.id === id) ?? { id, across: 1, down: 1 }), codes }
  })
  const most = (side: 'across' | 'down') => Math.max(1, ...components.map(each => each[side]))
  const [only] = scanned
  const alone = scanned.length === 1 ? only : undefined
  const units = (length: number, side: 'across' | 'down') =>
    Math.ceil((alone ? Math.ceil((length * alone[side]) / most(side)) : length / most(side)) / 8)
  return {
    components: scanned.map(({ id }) => components.findIndex(each => each.id === id)),
    unit: alone
      ? [alone.codes]
      : scanned.flatMap(({ across, down, codes }) => Array<typeof codes>(across * down).fill(codes)),
    count: units(width, 'across') * units(height, 'down'),
  }
}

/** The pieces of a scan between its restart markers. */
function* unmarked(coded: Buffer): Generator<Buffer> {
  let from = 0
  for (let at = coded.indexOf(0xff); at >= 0; at = coded.indexOf(0xff, at + 1)) {
    const next = coded[at + 1] ?? 0
    if (next < 0xd0 || next > 0xd7) continue
    yield coded.subarray(from, at)
    from = at + 2
  }
  yield coded.subarray(from)
}
