/** QuickDraw pictures for tests, written opcode by opcode (Inside Macintosh: Imaging with QuickDraw, appendix A). */
import { u8, u16, u32 } from './fixtures/numbers.ts'
import { packBits } from './psd.ts'

const even = (data: Buffer) => (data.length & 1 ? Buffer.concat([data, u8(0)]) : data)

/** Top, left, bottom, right. */
export type Box = readonly [number, number, number, number]
export type Color = readonly [number, number, number]

/** An opcode of version 2 with its data. */
export const op = (code: number, ...data: Uint8Array[]): Buffer => even(Buffer.concat([u16(code), ...data]))

export interface PictSpec {
  frame: Box
  version?: 1 | 2
  /** Bytes before the picture; 512 in files. */
  lead?: number
  /** Dots per inch and source rectangle of an extended picture. */
  extended?: { dpi: number; source: Box }
}

/** Writes a picture. Version 1 opcodes have no padding: pass them as plain bytes. */
export function pict({ frame, version = 2, lead = 512, extended }: PictSpec, ...opcodes: Buffer[]): Buffer {
  const start =
    version === 1
      ? u8(0x11, 0x01)
      : Buffer.concat([
          u16(0x0011, 0x02ff, 0x0c00),
          extended
            ? Buffer.concat([u16(-2, 0, extended.dpi, 0, extended.dpi, 0), u16(...extended.source), u32(0)])
            : Buffer.concat([u16(-1, -1), u32(0, 0, 0, 0), u32(0)]),
        ])
  const end = version === 1 ? u8(0xff) : u16(0x00ff)
  return Buffer.concat([Buffer.alloc(lead), u16(0), u16(...frame), start, ...opcodes, end])
}

export const color = ([r, g, b]: Color): Buffer => u16(r * 257, g * 257, b * 257)
export const foreground = (value: Color): Buffer => op(0x1a, color(value))
export const background = (value: Color): Buffer => op(0x1b, color(value))

/** A region consisting of rectangles, as lines at which the outline changes. */
export function region(...boxes: Box[]): Buffer {
  const bounds = [
    Math.min(...boxes.map(box => box[0])),
    Math.min(...boxes.map(box => box[1])),
    Math.max(...boxes.map(box => box[2])),
    Math.max(...boxes.map(box => box[3])),
  ]
  if (boxes.length === 1) return Buffer.concat([u16(10), u16(...bounds)])
  const lines: number[] = []
  let inside = new Set<number>()
  const edges = [...new Set(boxes.flatMap(box => [box[0], box[2]]))].sort((a, b) => a - b)
  for (const y of edges) {
    const now = new Set<number>()
    for (const [top, left, bottom, right] of boxes) {
      if (top <= y && y < bottom) for (let x = left; x < right; x++) now.add(x)
    }
    const changed = (x: number) => now.has(x) !== inside.has(x)
    const points: number[] = []
    for (let x = bounds[1]!; x <= bounds[3]!; x++) if (changed(x) !== changed(x - 1)) points.push(x)
    if (points.length > 0) lines.push(y, ...points, 0x7fff)
    inside = now
  }
  const data = u16(...lines, 0x7fff)
  return Buffer.concat([u16(10 + data.length), u16(...bounds), data])
}

/** A colour table with numbered entries. */
const colorTable = (colors: Color[]): Buffer =>
  Buffer.concat([
    u32(0),
    u16(0, colors.length - 1),
    ...colors.map((value, i) => Buffer.concat([u16(i), color(value)])),
  ])

export interface PixelMapSpec {
  width: number
  height: number
  /** 1, 2, 4, 8 indexed; 16, 32 direct. */
  depth: 1 | 2 | 4 | 8 | 16 | 32
  /** Index or colour of a pixel. */
  at: (x: number, y: number) => number | Color
  /** Colours of an indexed map; without them it is a bitmap. */
  colors?: Color[]
  packType?: 0 | 1 | 2 | 3 | 4
  components?: 3 | 4
  packed?: boolean
  left?: number
  top?: number
}

function rowOf({ width, depth, at, packType = 0 }: PixelMapSpec, y: number, rowBytes: number): Buffer {
  const row = Buffer.alloc(depth === 32 && packType === 2 ? width * 3 : rowBytes)
  for (let x = 0; x < width; x++) {
    const value = at(x, y)
    if (typeof value === 'number') row[(x * depth) >> 3]! |= value << (8 - depth - ((x * depth) & 7))
    else if (depth === 16) {
      row.writeUInt16BE(((value[0] >> 3) << 10) | ((value[1] >> 3) << 5) | (value[2] >> 3), x * 2)
    } else row.set(value, packType === 2 ? x * 3 : x * 4 + 1)
  }
  return row
}

function packRow(spec: PixelMapSpec, row: Buffer): Buffer {
  const { depth, width, components = 3 } = spec
  if (depth === 16) return packBits(row, 2)
  if (depth < 16) return packBits(row)
  const planes = Buffer.alloc(width * components)
  for (let x = 0; x < width; x++) {
    for (let part = 0; part < components; part++) {
      planes[part * width + x] = row[x * 4 + part + (4 - components)]!
    }
  }
  return packBits(planes)
}

/** Row bytes, bounds and, for pixel maps, the rest of the record and the colours. */
function mapHeader(spec: PixelMapSpec, rowBytes: number): Buffer {
  const { width, height, depth, colors, packType = 0, components, left = 0, top = 0 } = spec
  const bounds = u16(top, left, top + height, left + width)
  const direct = depth > 8
  if (!direct && !colors) return Buffer.concat([u16(rowBytes), bounds])
  return Buffer.concat([
    u16(rowBytes | 0x8000),
    bounds,
    u16(direct ? 4 : 0, packType),
    u32(0, 72 << 16, 72 << 16),
    u16(direct ? 16 : 0, depth, direct ? (components ?? 3) : 1, direct ? (depth === 16 ? 5 : 8) : depth),
    u32(0, 0, 0),
    ...(direct ? [] : [colorTable(colors!)]),
  ])
}

const rowBytesOf = ({ width, depth }: PixelMapSpec) => Math.ceil((width * depth) / 16) * 2

function rowsOf(spec: PixelMapSpec, packed: boolean): Buffer {
  const rowBytes = rowBytesOf(spec)
  const { packType = 0, depth } = spec
  const plain = !packed || rowBytes < 8 || (depth > 8 && packType === 1) || (depth === 32 && packType === 2)
  const rows = Array.from({ length: spec.height }, (_, y) => rowOf(spec, y, rowBytes))
  if (plain) return Buffer.concat(rows)
  return Buffer.concat(
    rows.flatMap(row => {
      const data = packRow(spec, row)
      return [rowBytes > 250 ? u16(data.length) : u8(data.length), data]
    }),
  )
}

export interface CopySpec {
  source?: Box
  destination?: Box
  mode?: number
  mask?: Buffer
}

/** Copies a pixel map to the picture. */
export function bits(spec: PixelMapSpec, { source, destination, mode = 0, mask }: CopySpec = {}): Buffer {
  const { width, height, depth, packed = true, left = 0, top = 0 } = spec
  const all: Box = [top, left, top + height, left + width]
  const code = (depth > 8 ? 0x9a : packed ? 0x98 : 0x90) + (mask ? 1 : 0)
  return op(
    code,
    ...(depth > 8 ? [u32(0xff)] : []),
    mapHeader(spec, rowBytesOf(spec)),
    u16(...(source ?? all), ...(destination ?? source ?? all), mode),
    ...(mask ? [mask] : []),
    rowsOf(spec, packed),
  )
}

/** A pixel pattern, as used by opcodes 0x12 to 0x14. */
export const pixelPattern = (spec: PixelMapSpec): Buffer =>
  Buffer.concat([u16(1), Buffer.alloc(8, 0xaa), mapHeader(spec, rowBytesOf(spec)), rowsOf(spec, true)])

export interface QuickTimeSpec {
  codec: string
  width: number
  height: number
  depth: number
  data: Uint8Array
  colors?: Color[]
  /** Position of the image: offset and scale. */
  x?: number
  y?: number
  scale?: number
  mask?: Buffer
}

/** A QuickTime image. */
export function quickTime(spec: QuickTimeSpec): Buffer {
  const { codec, width, height, depth, data, colors, x = 0, y = 0, scale = 1, mask } = spec
  const fixed = (value: number) => u32(Math.round(value * 65536))
  const table = colors ? colorTable(colors) : u8()
  const description = Buffer.concat([
    Buffer.from(codec, 'latin1'),
    Buffer.alloc(24),
    u16(width, height),
    u32(72 << 16, 72 << 16, data.length),
    u16(1),
    Buffer.alloc(32),
    u16(depth, colors ? 0 : -1),
    table,
  ])
  const record = Buffer.concat([
    u16(0),
    fixed(scale),
    u32(0, 0, 0),
    fixed(scale),
    u32(0),
    fixed(x),
    fixed(y),
    u32(1 << 30),
    u32(0),
    u16(0, 0, 0, 0),
    u16(64),
    u16(0, 0, height, width),
    u32(0),
    u32(mask?.length ?? 0),
    ...(mask ? [mask] : []),
    u32(description.length + 4),
    description,
    data,
  ])
  return op(0x8200, u32(record.length), record)
}

/** What follows an image for readers without QuickTime: a marked pen size with the length of the rest. */
export function fallback(...opcodes: Buffer[]): Buffer {
  const data = Buffer.concat(opcodes)
  return Buffer.concat([op(0x07, u16(0xae, data.length)), data])
}

/** Text at a position: the start of the baseline. */
export const text = (x: number, y: number, value: string): Buffer =>
  op(0x28, u16(y, x), u8(value.length), Buffer.from(value, 'latin1'))
