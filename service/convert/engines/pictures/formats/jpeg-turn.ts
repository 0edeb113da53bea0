/** Turns, mirrors and cuts JPEG files by moving their coefficients, as jpegtran does: no pixel is decoded and nothing is lost. */
import type { Size } from '../../common/rectangle.ts'
import { type Area, inOne, type Moves } from '../moves.ts'
import { isFrame, SCAN, segment, segments } from './jpeg.ts'
import { RESTART_INTERVAL, type Scan, scansOf, TABLES } from './jpeg-codes.ts'
import { bestCodes } from './jpeg-huffman.ts'

const EDGE = 8
const BLOCK = EDGE * EDGE
/** Most coefficients that are held, of two bytes each. */
const COEFFICIENTS_LIMIT = 150_000_000

/** Column and row of the coefficients in zigzag order. */
const ZIGZAG = Array.from({ length: BLOCK }, (_, at) => ({ u: at % EDGE, v: Math.floor(at / EDGE) })).sort(
  (a, b) => a.u + a.v - b.u - b.v || ((a.u + a.v) % 2 === 0 ? a.u - b.u : a.v - b.v),
)

/** A component, of which each unit has `across` times `down` blocks, and where its coefficients are. */
interface Plane {
  across: number
  down: number
  blocks: Int16Array
  at: (column: number, row: number) => number
}

/** The units of a picture, which cover the same area of all components. */
function unitsOf({ width, height }: Size, sides: readonly Pick<Plane, 'across' | 'down'>[]) {
  const across = EDGE * Math.max(...sides.map(each => each.across))
  const down = EDGE * Math.max(...sides.map(each => each.down))
  return { width: across, height: down, columns: Math.ceil(width / across), rows: Math.ceil(height / down) }
}

/** The blocks of a unit, in the order of coding. */
function* blocksIn(planes: readonly Plane[], unit: number, columns: number) {
  for (const [index, plane] of planes.entries())
    for (let block = 0; block < plane.across * plane.down; block++) {
      const column = (unit % columns) * plane.across + (block % plane.across)
      const row = Math.floor(unit / columns) * plane.down + Math.floor(block / plane.across)
      yield { index, blocks: plane.blocks, start: plane.at(column, row) }
    }
}

/** The coefficients of the only scan of a picture; undefined if its codes break off. */
function planesOf({ frame, interval, read }: Scan, sides: readonly Pick<Plane, 'across' | 'down'>[]) {
  const { columns, rows } = unitsOf(frame, sides)
  const planes = sides.map(({ across, down }): Plane => {
    const at = (column: number, row: number) => (row * columns * across + column) * BLOCK
    return { across, down, blocks: new Int16Array(columns * across * rows * down * BLOCK), at }
  })
  const sums = planes.map(() => 0)
  let [current, places] = [-1, [...blocksIn(planes, 0, columns)]]
  const isRead = read((unit, block, place, value) => {
    if (unit !== current) {
      places = [...blocksIn(planes, unit, columns)]
      current = unit
      if (unit % interval === 0) sums.fill(0)
    }
    const { index, blocks, start } = places[block]!
    // The first number of each block is the difference from that of the one before.
    if (place === 0) sums[index]! += value
    blocks[start + place] = place === 0 ? sums[index]! : value
  })
  return isRead ? planes : undefined
}

/**
 * A JPEG that is known to decode, cut and moved; its metadata are copied as they are.
 * @param area the part to keep, before it is moved
 * @returns undefined where that is impossible: progressive or damaged codes, or an area or a mirrored side that does not end between blocks
 */
export function turnedJpeg(file: Buffer, moves: Moves, area: Area): Buffer | undefined {
  const [scan, ...further] = scansOf(file)
  if (!scan || further.length > 0) return undefined
  const { frame, components } = scan
  if (components.length !== frame.components.length || components.some((each, at) => each !== at))
    return undefined
  const { t, x, y } = inOne(moves)
  // A component alone has no units of several blocks.
  const sides = components.length === 1 ? [{ across: 1, down: 1 }] : frame.components
  const unit = unitsOf(frame, sides)
  const blocks = sides.reduce((sum, { across, down }) => sum + across * down, 0) * unit.columns * unit.rows
  const ends = [
    area.left % unit.width,
    area.top % unit.height,
    (t ? y : x) ? area.width % unit.width : 0,
    (t ? x : y) ? area.height % unit.height : 0,
  ]
  const isFitting = blocks * BLOCK <= COEFFICIENTS_LIMIT && ends.every(rest => rest === 0)
  const planes = isFitting ? planesOf(scan, sides) : undefined
  if (!planes) return undefined
  const size = t ? { width: area.height, height: area.width } : area
  const moved = planes.map(({ across, down, blocks, at }): Plane => {
    const [left, top] = [(area.left / unit.width) * across, (area.top / unit.height) * down]
    const [wide, high] = [(area.width / unit.width) * across, (area.height / unit.height) * down]
    return {
      ...(t ? { across: down, down: across } : { across, down }),
      blocks,
      at: (column, row) => {
        const a = x ? (t ? high : wide) - 1 - column : column
        const b = y ? (t ? wide : high) - 1 - row : row
        return at(left + (t ? b : a), top + (t ? a : b))
      },
    }
  })
  const from = ZIGZAG.map(({ u, v }) =>
    ZIGZAG.findIndex(other => other.u === (t ? v : u) && other.v === (t ? u : v)),
  )
  const signs = ZIGZAG.map(({ u, v }) => (x && u % 2 ? -1 : 1) * (y && v % 2 ? -1 : 1))
  const coding = encode(moved, unitsOf(size, moved), from, signs)
  const parts: Uint8Array[] = [file.subarray(0, 2)]
  for (const { marker, start, end, data } of segments(file)) {
    const changed = Buffer.from(data)
    if (marker === QUANTISATION && t) transpose(data, changed, from)
    else if (isFrame(marker)) {
      changed.writeUInt16BE(size.height, 1)
      changed.writeUInt16BE(size.width, 3)
      for (let at = 7; t && at < data.length; at += 3) changed[at] = (data[at]! << 4) | (data[at]! >> 4)
    } else if (marker === SCAN) {
      for (const at of planes.keys()) changed[2 + at * 2] = at === 0 ? 0 : 0x11
      parts.push(...coding.tables, segment(marker, changed), coding.data, Buffer.from([0xff, 0xd9]))
      continue
    } else if (marker !== TABLES && marker !== RESTART_INTERVAL) parts.push(file.subarray(start, end))
    if (marker === QUANTISATION ? t : isFrame(marker)) parts.push(segment(marker, changed))
  }
  return Buffer.concat(parts)
}

const QUANTISATION = 0xdb

/** Writes tables of 64 numbers with one or two bytes each in another order. */
function transpose(tables: Buffer, changed: Buffer, from: readonly number[]): void {
  for (let at = 0; at < tables.length; ) {
    const bytes = tables[at]! >> 4 ? 2 : 1
    for (const [to, place] of from.entries())
      tables.copy(changed, at + 1 + to * bytes, at + 1 + place * bytes, at + 1 + (place + 1) * bytes)
    at += 1 + BLOCK * bytes
  }
}

/** Codes blocks with the tables that suit them best: one for the first component, and one for the others. */
function encode(
  planes: readonly Plane[],
  { columns, rows }: ReturnType<typeof unitsOf>,
  from: readonly number[],
  signs: readonly number[],
): { tables: Buffer[]; data: Buffer } {
  const each = (put: (table: number, symbol: number, value: number, bits: number) => void) => {
    const before = planes.map(() => 0)
    const number = (table: number, run: number, value: number) => {
      const bits = 32 - Math.clz32(Math.abs(value))
      put(table, (run << 4) | bits, value < 0 ? value + (1 << bits) - 1 : value, bits)
    }
    for (let unit = 0; unit < columns * rows; unit++)
      for (const { index, blocks, start } of blocksIn(planes, unit, columns)) {
        const table = index === 0 ? 0 : 1
        number(table, 0, blocks[start]! - before[index]!)
        before[index] = blocks[start]!
        let run = 0
        for (let place = 1; place < BLOCK; place++, run++) {
          const value = blocks[start + from[place]!]! * signs[place]!
          if (value === 0) continue
          for (; run > 15; run -= 16) put(table + 2, 0xf0, 0, 0)
          number(table + 2, run, value)
          run = -1
        }
        if (run > 0) put(table + 2, 0, 0, 0)
      }
  }
  const counts = Array.from({ length: 4 }, () => new Uint32Array(256))
  each((table, symbol) => counts[table]![symbol]!++)
  const codes = counts.map(bestCodes)
  let out = Buffer.alloc(1 << 20)
  let [length, held, filled] = [0, 0, 0]
  const write = (value: number, bits: number) => {
    held = (held << bits) | value
    for (filled += bits; filled >= 8; ) {
      filled -= 8
      if (length + 2 > out.length) out = Buffer.concat([out, Buffer.alloc(out.length)])
      out[length++] = (held >> filled) & 0xff
      if (out[length - 1] === 0xff) out[length++] = 0
    }
    held &= (1 << filled) - 1
  }
  each((table, symbol, value, bits) => {
    const { code, size } = codes[table]!.bySymbol[symbol]!
    write(code, size)
    write(value, bits)
  })
  // The rest of the last byte is ones.
  write(0x7f, 7)
  const tables = codes.flatMap(({ lengths, symbols }, table) => {
    const name = ((table >> 1) << 4) | (table & 1)
    return symbols.length > 0 ? [segment(TABLES, Buffer.from([name, ...lengths, ...symbols]))] : []
  })
  return { tables, data: out.subarray(0, length) }
}
