/** Reads the samples of an uncompressed picture into one plane for each component (ISO/IEC 23001-17, 5.2.1.6). */
import { tooManyPixels } from '../../limits.ts'
import { corrupt } from '../failure.ts'
import type { Size } from '../properties.ts'
import type { Component, Kind, Setup } from './setup.ts'

/** The samples of a component, from the top left. */
export interface Plane {
  width: number
  bits: number
  data: Uint8Array | Uint16Array
}

export type Planes = Map<Kind, Plane>

/** A row of samples as stored, repeated for each row of a tile. */
interface Band {
  /** The samples of a step: `first` is the place in the first step, `stride` the distance to that in the next. */
  samples: { component: Component; first: number; stride: number }[]
  steps: number
  rows: number
  /** Bytes of a step; 0 without padding. */
  stepBytes: number
}

/** Bands whose rows alternate. */
type Group = Band[]

/** The order of samples in a tile: all groups of a pass for one tile after the other, then the next pass. */
function passesOf({ components, interleave, chroma, pixelBytes }: Setup, tile: Size): Group[][] {
  const isChroma = ({ kind }: Component) => kind === 'cb' || kind === 'cr'
  const bandOf = (list: Component[]): Band => {
    const [x, y] = list.some(isChroma) && list.every(isChroma) ? [chroma.width, chroma.height] : [1, 1]
    const samples = list.map(component => ({ component, first: 0, stride: 1 }))
    return { samples, steps: tile.width / x, rows: tile.height / y, stepBytes: 0 }
  }
  switch (interleave) {
    case 'component':
      return [components.map(component => [bandOf([component])])]
    case 'tile-component':
      return components.map(component => [[bandOf([component])]])
    case 'row':
      return [[components.map(component => bandOf([component]))]]
    case 'pixel':
      return [[[{ ...bandOf(components), steps: tile.width, rows: tile.height, stepBytes: pixelBytes }]]]
    case 'mixed': {
      const both = components.filter(isChroma)
      const first = components.findIndex(isChroma)
      return [
        components.flatMap((component, index) =>
          isChroma(component) ? (index === first ? [[bandOf(both)]] : []) : [[bandOf([component])]],
        ),
      ]
    }
    case 'multi-y': {
      const counts = new Map<Kind, number>()
      const samples = components.map(component => {
        const first = counts.get(component.kind) ?? 0
        counts.set(component.kind, first + 1)
        return { component, first, stride: component.kind === 'y' ? chroma.width : 1 }
      })
      // Each step has one sample of chroma, and the brightness of all its pixels.
      if (counts.get('y') !== chroma.width || counts.get('cb') !== 1 || counts.get('cr') !== 1)
        throw corrupt()
      const steps = tile.width / chroma.width
      return [[[{ samples, steps, rows: tile.height, stepBytes: pixelBytes }]]]
    }
  }
}

/** A cursor over samples that need not begin at whole bytes. */
class SampleReader {
  private readonly data: Uint8Array
  private readonly littleEndian: boolean
  at = 0
  private bit = 0

  constructor(data: Uint8Array, littleEndian: boolean) {
    this.data = data
    this.littleEndian = littleEndian
  }

  /** Moves to the next whole byte. */
  alignByte(): void {
    if (this.bit > 0) {
      this.bit = 0
      this.at++
    }
  }

  read({ bits, bytes }: Component): number {
    if (bits === 8 && bytes <= 1 && this.bit === 0) return this.data[this.at++] ?? 0
    if (bytes > 0) {
      this.alignByte()
      const start = this.at
      this.at += bytes
      if (this.littleEndian) return this.little(start, bits)
      return this.bitsAt(start + bytes - Math.ceil(bits / 8), (8 - (bits % 8)) % 8, bits)
    }
    const [start, bit] = [this.at, this.bit]
    this.at = start + ((bit + bits) >> 3)
    this.bit = (bit + bits) & 7
    return this.littleEndian && bits === 16 ? this.little(start, bits) : this.bitsAt(start, bit, bits)
  }

  private bitsAt(start: number, bit: number, bits: number): number {
    const { data } = this
    const window = ((data[start] ?? 0) << 16) | ((data[start + 1] ?? 0) << 8) | (data[start + 2] ?? 0)
    return (window >> (24 - bit - bits)) & ((1 << bits) - 1)
  }

  private little(start: number, bits: number): number {
    return ((this.data[start] ?? 0) | ((this.data[start + 1] ?? 0) << 8)) & ((1 << bits) - 1)
  }
}

const aligned = (position: number, to: number) => (to > 0 ? Math.ceil(position / to) * to : position)

/** Where a sample of a row belongs: the plane, and the place of its row. */
type Target = { data: Plane['data']; start: number } | undefined

/** Reads a row, with a target for each sample of a step. */
function readRow(
  reader: SampleReader,
  { samples, steps, stepBytes }: Band,
  targets: readonly Target[],
): void {
  for (let step = 0; step < steps; step++) {
    const start = reader.at
    for (let index = 0; index < samples.length; index++) {
      const { component, first, stride } = samples[index]!
      const value = reader.read(component)
      const target = targets[index]
      if (target) target.data[target.start + first + step * stride] = value
    }
    if (stepBytes > 0) {
      reader.alignByte()
      if (reader.at - start > stepBytes) throw corrupt()
      reader.at = start + stepBytes
    }
  }
  reader.alignByte()
}

/** Bytes of a tile in one pass, without its alignment. */
function tileBytes(pass: Group[], { rowAlign, littleEndian }: Setup): number {
  let bytes = 0
  for (const band of pass.flat()) {
    const reader = new SampleReader(new Uint8Array(), littleEndian)
    readRow(reader, band, [])
    bytes += aligned(reader.at, rowAlign) * band.rows
  }
  return bytes
}

export interface Layout {
  setup: Setup
  size: Size
  tile: Size
  passes: { groups: Group[]; bytes: number }[]
  /** Bytes of all samples. */
  bytes: number
}

/** Maximum number of pixels, whose samples are held twice, in up to 8 bytes each time. */
const PIXEL_LIMIT = 128_000_000

/** Maximum size of the samples with their padding. */
const BYTES_LIMIT = 2 ** 31

/** @throws JobFailure too_large; corrupt_input if the tiles do not divide the picture, or chroma the tiles */
export function layoutOf(setup: Setup, size: Size): Layout {
  const { columns, rows, chroma, tileAlign } = setup
  const tile = { width: size.width / columns, height: size.height / rows }
  if (![tile.width / chroma.width, tile.height / chroma.height].every(Number.isInteger)) throw corrupt()
  const passes = passesOf(setup, tile).map(groups => ({ groups, bytes: tileBytes(groups, setup) }))
  if (size.width * size.height > PIXEL_LIMIT) throw tooManyPixels()
  const bytes = passes.reduce((sum, pass) => sum + aligned(pass.bytes, tileAlign) * columns * rows, 0)
  if (bytes > BYTES_LIMIT) throw tooManyPixels()
  return { setup, size, tile, passes, bytes }
}

/**
 * Reads all samples.
 * @throws JobFailure corrupt_input if some are missing
 */
export function planesOf(data: Uint8Array, { setup, size, tile, passes, bytes }: Layout): Planes {
  const { columns, rows, chroma, tileAlign, rowAlign } = setup
  // The last tile may lack its padding.
  const last = passes.at(-1)!
  if (data.length < bytes - (aligned(last.bytes, tileAlign) - last.bytes)) throw corrupt()
  const planes: Planes = new Map()
  const scaleOf = (kind: Kind) => (kind === 'cb' || kind === 'cr' ? chroma : { width: 1, height: 1 })
  for (const { kind, bits } of setup.components) {
    if (kind === 'pad') continue
    const width = size.width / scaleOf(kind).width
    const count = width * (size.height / scaleOf(kind).height)
    planes.set(kind, { width, bits, data: bits > 8 ? new Uint16Array(count) : new Uint8Array(count) })
  }
  const reader = new SampleReader(data, setup.littleEndian)
  let start = 0
  for (const { groups, bytes: used } of passes) {
    for (let index = 0; index < columns * rows; index++) {
      const [left, top] = [(index % columns) * tile.width, Math.floor(index / columns) * tile.height]
      const targetOf = ({ kind }: Component, y: number): Target => {
        const plane = planes.get(kind)
        const scale = scaleOf(kind)
        return (
          plane && { data: plane.data, start: (top / scale.height + y) * plane.width + left / scale.width }
        )
      }
      reader.at = start
      start += aligned(used, tileAlign)
      for (const group of groups) {
        for (let y = 0; y < group[0]!.rows; y++) {
          for (const band of group) {
            const begin = reader.at
            const targets = band.samples.map(({ component }) => targetOf(component, y))
            readRow(reader, band, targets)
            reader.at = begin + aligned(reader.at - begin, rowAlign)
          }
        }
      }
    }
  }
  return planes
}
