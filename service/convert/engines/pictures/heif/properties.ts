/** The item properties that describe a picture (ISO/IEC 23008-12, 6.5 and annex B). */

import { ByteReader } from '../../common/byte-reader.ts'
import { type Box, readFullBox, zeroTerminated } from '../../common/iso-boxes.ts'
import type { Size } from '../../common/rectangle.ts'
import type { CodePoints, Mastering } from '../formats/code-points.ts'
import { type Area, inOne, type Moves, UPRIGHT } from '../moves.ts'
import { corrupt, type Item } from './items.ts'

/** Changes to apply in order: moves, or cutting out what fractions specify. */
export type Transform = { moves: Moves } | { fractions: readonly number[] }

/** Moves of quarter turns anticlockwise. */
const QUARTERS: readonly Moves[] = ['', 'ty', 'xy', 'tx']

const find = (item: Item, type: string): Box | undefined =>
  item.properties.find(property => property.type === type)

/** Size in pixels before transformations (`ispe`). */
export function sizeOf(item: Item): Size {
  const box = find(item, 'ispe')
  if (!box) throw corrupt()
  const { reader } = readFullBox(box.body)
  return { width: reader.u32(), height: reader.u32() }
}

export function transformsOf(item: Item): Transform[] {
  return item.properties.flatMap(({ type, body }): Transform[] => {
    const reader = new ByteReader(body)
    if (type === 'irot') return [{ moves: QUARTERS[reader.u8() & 3]! }]
    // 0 swaps top and bottom, 1 left and right, like EXIF orientations 4 and 2.
    if (type === 'imir') return [{ moves: reader.u8() & 1 ? 'x' : 'y' }]
    if (type === 'clap') return [{ fractions: Array.from({ length: 8 }, () => reader.i32()) }]
    return []
  })
}

/**
 * The visible part specified by a clean aperture: width, height and the offsets of its centre from the picture's, each
 * as a fraction (ISO/IEC 14496-12, 12.1.4). Clipped to the picture.
 */
export function cropOf(fractions: readonly number[], { width, height }: Size): Area {
  const [w, h, x, y] = [0, 2, 4, 6].map(at => (fractions[at] ?? 0) / (fractions[at + 1] || Number.NaN))
  if (![w, h, x, y].every(Number.isFinite) || !(w! >= 1) || !(h! >= 1)) throw corrupt()
  const left = Math.min(width - 1, Math.max(0, Math.round((width - w!) / 2 + x!)))
  const top = Math.min(height - 1, Math.max(0, Math.round((height - h!) / 2 + y!)))
  return {
    left,
    top,
    width: Math.min(width - left, Math.round(w!)),
    height: Math.min(height - top, Math.round(h!)),
  }
}

/** The EXIF orientation (1–8) equivalent to a sequence of rotations and mirrorings. */
export function orientationOf(transforms: readonly Transform[]): number {
  const { t, x, y } = inOne(transforms.map(each => ('moves' in each ? each.moves : '')).join(''))
  return UPRIGHT.lastIndexOf(`${t ? 't' : ''}${x ? 'x' : ''}${y ? 'y' : ''}`)
}

/** ICC profile and code points of an item, if it has them (`colr`). */
export function colourOf(item: Item): { icc?: Uint8Array; codePoints?: CodePoints } {
  const colour: { icc?: Uint8Array; codePoints?: CodePoints } = {}
  for (const { type, body } of item.properties) {
    if (type !== 'colr') continue
    const reader = new ByteReader(body)
    const kind = reader.latin1(4)
    if (kind === 'prof' || kind === 'rICC') colour.icc ??= reader.take(reader.remaining)
    if (kind === 'nclx')
      colour.codePoints ??= {
        primaries: reader.u16(),
        transfer: reader.u16(),
        matrix: reader.u16(),
        fullRange: reader.u8() >= 0x80,
      }
  }
  return colour
}

/**
 * The brightest light of a picture: of its content (`clli`, ISO/IEC 14496-12, 12.1.6), otherwise of the screen it was
 * made on (`mdcv`, 12.1.7).
 */
export function masteringOf(item: Item): Mastering {
  const content = find(item, 'clli')?.body
  const screen = find(item, 'mdcv')?.body
  if (content && content.length >= 2 && content.readUInt16BE(0) > 0) return { peak: content.readUInt16BE(0) }
  // It follows six chromaticities and a white point of 16 bits, and is in ten-thousandths of a nit.
  if (screen && screen.length >= 20 && screen.readUInt32BE(16) > 0)
    return { peak: screen.readUInt32BE(16) / 10_000 }
  return {}
}

/** The purpose of an auxiliary picture, such as `urn:mpeg:hevc:2015:auxid:1`; empty for other pictures. */
export function auxiliaryType(item: Item): string {
  const box = find(item, 'auxC')
  return box ? zeroTerminated(readFullBox(box.body).reader) : ''
}

/** An HEVC decoder's configuration (`hvcC`, ISO/IEC 14496-15, 8.3.3). */
export interface HevcSetup {
  /** 0 grey, 1 4:2:0, 2 4:2:2, 3 4:4:4. */
  chroma: number
  bitDepth: number
  /** Size in bytes of the length before each unit of the coded data. */
  lengthSize: number
  /** Parameter sets, without lengths. */
  units: Uint8Array[]
  /** The box itself, for comparing configurations. */
  box: Uint8Array
}

export function hevcSetupOf(item: Item): HevcSetup {
  const box = find(item, 'hvcC')?.body
  if (!box) throw corrupt()
  const reader = new ByteReader(box)
  reader.skip(16)
  const chroma = reader.u8() & 3
  const bitDepth = (reader.u8() & 7) + 8
  reader.skip(3)
  const lengthSize = (reader.u8() & 3) + 1
  const units: Uint8Array[] = []
  for (let arrays = reader.u8(); arrays > 0; arrays--) {
    reader.u8()
    for (let count = reader.u16(); count > 0; count--) units.push(reader.take(reader.u16()))
  }
  return { chroma, bitDepth, lengthSize, units, box }
}

/** Whether an item of AV1 has no colours, as its configuration says (`av1C`, AV1 Codec ISO Media File Format Binding, 2.3). */
export function isMonochrome(item: Item): boolean {
  const box = find(item, 'av1C')?.body
  if (!box || box.length < 4) throw corrupt()
  return ((box[2] ?? 0) & 0x10) !== 0
}
