/** Photoshop documents for tests, written according to the specification. */
import { u8, u16, u32 } from './fixtures/numbers.ts'

export type Depth = 1 | 8 | 16 | 32
export type Compression = 'raw' | 'packbits'

const compressions: Compression[] = ['raw', 'packbits']
const modes = {
  bitmap: 0,
  grayscale: 1,
  indexed: 2,
  rgb: 3,
  cmyk: 4,
  multichannel: 7,
  duotone: 8,
  lab: 9,
}

export interface LayerSpec {
  left?: number
  top?: number
  width?: number
  height?: number
  /** Samples by channel id: colours from 0 up, -1 transparency, -2 the mask. */
  channels?: Record<number, ArrayLike<number>>
  mask?: { left: number; top: number; width: number; height: number; outside: number; flags?: number }
  blend?: string
  opacity?: number
  clipped?: boolean
  hidden?: boolean
  /** Section divider: 1 ends a group's list from above, 3 starts it from below. */
  divider?: { type: 1 | 3; blend?: string }
  /** Additional blocks, by key. */
  blocks?: Record<string, Uint8Array>
}

export interface PsdSpec {
  mode: keyof typeof modes
  depth?: Depth
  width: number
  height: number
  /** Samples of each channel of the merged picture: 0/1, 0–255, 0–65535 or floating-point numbers. */
  planes: ArrayLike<number>[]
  compression?: Compression
  large?: boolean
  palette?: Uint8Array
  resources?: Record<number, Uint8Array>
  layers?: LayerSpec[]
  /** Marks the first extra channel as the picture's transparency: by the layer count, or by a separate block. */
  transparent?: boolean | 'block'
}

const u64 = (value: number) => Buffer.concat([u32(Math.floor(value / 2 ** 32)), u32(value % 2 ** 32)])

/** Rows of big-endian samples. */
function rowsOf(samples: ArrayLike<number>, width: number, height: number, depth: Depth): Buffer[] {
  return Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(depth === 1 ? (width + 7) >> 3 : (width * depth) / 8)
    for (let x = 0; x < width; x++) {
      const value = samples[y * width + x] ?? 0
      if (depth === 1) row[x >> 3]! |= value ? 128 >> (x & 7) : 0
      else if (depth === 8) row[x] = value
      else if (depth === 16) row.writeUInt16BE(value, x * 2)
      else row.writeFloatBE(value, x * 4)
    }
    return row
  })
}

/** PackBits with runs of at least three equal bytes. */
export function packBits(row: Uint8Array, unit: 1 | 2 = 1): Buffer {
  const out: number[] = []
  const at = (i: number) => [...row.subarray(i * unit, (i + 1) * unit)]
  const same = (i: number, j: number) => at(i).join() === at(j).join()
  const count = row.length / unit
  for (let i = 0; i < count; ) {
    let run = 1
    while (i + run < count && run < 128 && same(i, i + run)) run++
    if (run >= 3) {
      out.push(257 - run, ...at(i))
      i += run
      continue
    }
    const start = i
    while (i < count && i - start < 128 && !(i + 2 < count && same(i, i + 1) && same(i, i + 2))) i++
    out.push(i - start - 1, ...row.subarray(start * unit, i * unit))
  }
  return Buffer.from(out)
}

function planes(
  samples: ArrayLike<number>[],
  width: number,
  height: number,
  depth: Depth,
  compression: Compression,
  large: boolean,
): Buffer {
  const rows = samples.flatMap(plane => rowsOf(plane, width, height, depth))
  const code = u16(compressions.indexOf(compression))
  if (compression === 'raw') return Buffer.concat([code, ...rows])
  const packed = rows.map(row => packBits(row))
  return Buffer.concat([code, ...packed.map(({ length }) => (large ? u32(length) : u16(length))), ...packed])
}

const block = (key: string, data: Uint8Array) =>
  Buffer.concat([Buffer.from(`8BIM${key}`, 'latin1'), u32(data.length), data])

function layerSection(spec: PsdSpec): Buffer {
  const { layers = [], depth = 8, compression = 'packbits', large = false, transparent = false } = spec
  const size = large ? u64 : u32
  if (layers.length === 0 && !transparent) return size(0)
  if (transparent === 'block') {
    const body = Buffer.concat([size(0), u32(0), Buffer.from(`8BIMMt${depth === 8 ? 'rn' : depth}`), size(0)])
    return Buffer.concat([size(body.length), body])
  }
  const records: Buffer[] = []
  const pixels: Buffer[] = []
  for (const layer of layers) {
    const { left = 0, top = 0, width = 0, height = 0, channels = {}, mask, divider, blocks = {} } = layer
    const ids = Object.keys(channels).map(Number)
    const data = ids.map(id => {
      const [w, h] = id <= -2 && mask ? [mask.width, mask.height] : [width, height]
      return planes([channels[id]!], w, h, depth, compression, large)
    })
    const rect = ({ left: l, top: t, width: w, height: h }: NonNullable<typeof mask>) =>
      Buffer.concat([u32(t), u32(l), u32(t + h), u32(l + w)])
    const maskData = mask ? Buffer.concat([rect(mask), u8(mask.outside, mask.flags ?? 0), u16(0)]) : u8()
    const extra = Buffer.concat([
      u32(maskData.length),
      maskData,
      u32(0),
      u8(1, 65, 0, 0),
      ...(divider
        ? [block('lsct', Buffer.concat([u32(divider.type), Buffer.from(`8BIM${divider.blend ?? 'pass'}`)]))]
        : []),
      ...Object.entries(blocks).map(([key, value]) => block(key, value)),
    ])
    records.push(
      rect({ left, top, width, height, outside: 0 }),
      u16(ids.length),
      ...ids.map((id, i) => Buffer.concat([u16(id), size(data[i]!.length)])),
      Buffer.from(`8BIM${layer.blend ?? 'norm'}`),
      u8(Math.round((layer.opacity ?? 1) * 255), layer.clipped ? 1 : 0, layer.hidden ? 2 : 0, 0),
      u32(extra.length),
      extra,
    )
    pixels.push(...data)
  }
  const count = u16(transparent ? -Math.max(1, layers.length) : layers.length)
  const empty = layers.length === 0 ? emptyLayer : u8()
  const info = Buffer.concat([count, empty, ...records, ...pixels])
  // 16-bit and 32-bit documents store their layers in a tagged block.
  const body =
    depth < 16
      ? Buffer.concat([size(info.length), info])
      : Buffer.concat([
          size(0),
          u32(0),
          Buffer.from(`8BIMLr${depth}`),
          size(info.length),
          info,
          Buffer.alloc((4 - (info.length & 3)) & 3),
        ])
  return Buffer.concat([size(body.length), body])
}

/** A layer without pixels, for documents that only need to declare transparency. */
const emptyLayer = Buffer.concat([
  Buffer.alloc(16),
  u16(0),
  Buffer.from('8BIMnorm'),
  u8(255, 0, 0, 0),
  u32(12),
  u32(0),
  u32(0),
  u8(1, 65, 0, 0),
])

const resource = (id: number, data: Uint8Array) =>
  Buffer.concat([Buffer.from('8BIM'), u16(id), u16(0), u32(data.length), data, Buffer.alloc(data.length & 1)])

/** Resource 1057, which says whether the merged picture is valid. */
export const versionInfo = (merged: boolean): Uint8Array =>
  Buffer.concat([u32(1), u8(merged ? 1 : 0), u32(0), u32(0), u32(1)])

/** Writes a document. */
export function psd(spec: PsdSpec): Buffer {
  const { mode, depth = 8, width, height, compression = 'packbits', large = false } = spec
  const resources = Buffer.concat(
    Object.entries(spec.resources ?? {}).map(([id, data]) => resource(Number(id), data)),
  )
  const palette = spec.palette ?? u8()
  return Buffer.concat([
    Buffer.from('8BPS'),
    u16(large ? 2 : 1),
    Buffer.alloc(6),
    u16(spec.planes.length),
    u32(height),
    u32(width),
    u16(depth),
    u16(modes[mode]),
    u32(palette.length),
    palette,
    u32(resources.length),
    resources,
    layerSection(spec),
    planes(spec.planes, width, height, depth, compression, large),
  ])
}
