/** How the samples of an uncompressed picture are stored: `cmpd` and `uncC` (ISO/IEC 23001-17, 5). */
import { ByteReader } from '../../formats/byte-reader.ts'
import { type Box, readFullBox, zeroTerminated } from '../../formats/iso-boxes.ts'
import { corrupt, unknownCoding } from '../failure.ts'
import type { Item } from '../items.ts'

/** What a component is (table 1); `pad` is skipped. */
export type Kind = 'grey' | 'y' | 'cb' | 'cr' | 'r' | 'g' | 'b' | 'alpha' | 'pad'

const KINDS: Readonly<Record<number, Kind>> = {
  ...{ 0: 'grey', 1: 'y', 2: 'cb', 3: 'cr', 4: 'r', 5: 'g', 6: 'b', 7: 'alpha', 12: 'pad' },
}

export interface Component {
  kind: Kind
  /** Bits of a sample, 1–16. */
  bits: number
  /** Whole bytes that a sample has to itself, in the lowest bits; 0 if it follows the previous one bit by bit. */
  bytes: number
}

/** How the components follow each other (table 4). */
export type Interleave = 'component' | 'pixel' | 'mixed' | 'row' | 'tile-component' | 'multi-y'

const INTERLEAVES: readonly Interleave[] = ['component', 'pixel', 'mixed', 'row', 'tile-component', 'multi-y']

export interface Setup {
  components: Component[]
  interleave: Interleave
  /** Width and height in pixels for which there is one sample of each chroma component. */
  chroma: { width: number; height: number }
  littleEndian: boolean
  /** Bytes of a pixel with its padding; 0 without. */
  pixelBytes: number
  /** Rows and tiles begin at multiples of these bytes; 0 means no padding. */
  rowAlign: number
  tileAlign: number
  columns: number
  rows: number
}

const COMPONENT_LIMIT = 32
const TILE_LIMIT = 1 << 20

/** Units of chroma by `sampling_type` (table 3). */
const CHROMA = [
  { width: 1, height: 1 },
  { width: 2, height: 1 },
  { width: 2, height: 2 },
  { width: 4, height: 1 },
] as const

/** Layouts known by name (table 5), as far as they consist of bytes: components, interleaving, chroma. */
const PROFILES: Readonly<Record<string, [string, Interleave, number]>> = {
  rgb3: ['r g b', 'pixel', 0],
  rgba: ['r g b alpha', 'pixel', 0],
  abgr: ['alpha b g r', 'pixel', 0],
  '2vuy': ['cb y cr y', 'multi-y', 1],
  yuv2: ['y cb y cr', 'multi-y', 1],
  yvyu: ['y cr y cb', 'multi-y', 1],
  vyuy: ['cr y cb y', 'multi-y', 1],
  v308: ['cr y cb', 'pixel', 0],
  v408: ['cb y cr alpha', 'pixel', 0],
  nv12: ['y cb cr', 'mixed', 2],
  nv21: ['y cr cb', 'mixed', 2],
  i420: ['y cb cr', 'component', 2],
  yv12: ['y cr cb', 'component', 2],
  yu22: ['y cb cr', 'component', 1],
  yv22: ['y cr cb', 'component', 1],
}

const isKind = (name: string): name is Kind => Object.values(KINDS).includes(name as Kind)

/** @throws JobFailure corrupt_input; unsupported_input for layouts that are not read */
export function setupOf(item: Item): Setup {
  const box = item.properties.find(({ type }) => type === 'uncC')
  if (!box) throw corrupt()
  const { version, reader } = readFullBox(box.body)
  const name = reader.latin1(4)
  if (version === 1) return named(name)
  if (version !== 0) throw unknownCoding()
  const kinds = kindsOf(item.properties.find(({ type }) => type === 'cmpd'))
  const count = reader.u32()
  if (count < 1 || count > COMPONENT_LIMIT) throw unknownCoding()
  const components = Array.from({ length: count }, (): Component => {
    const kind = kinds[reader.u16()]
    const [bits, format, bytes] = [reader.u8() + 1, reader.u8(), reader.u8()]
    // Numbers other than unsigned integers, and kinds such as depth and filter arrays.
    if (!kind || format !== 0 || bits > 16) throw unknownCoding()
    if (bytes > 0 && bytes * 8 < bits) throw corrupt()
    return { kind, bits, bytes }
  })
  const [chroma, interleave] = [CHROMA[reader.u8()], INTERLEAVES[reader.u8()]]
  const [blockBytes, flags] = [reader.u8(), reader.u8()]
  const littleEndian = (flags & 0x80) !== 0
  if (!chroma || !interleave || blockBytes > 0) throw unknownCoding()
  if (littleEndian && components.some(({ bits, bytes }) => bytes === 0 && bits % 8 > 0)) throw unknownCoding()
  const setup: Setup = {
    ...{ components, interleave, chroma, littleEndian },
    ...{ pixelBytes: reader.u32(), rowAlign: reader.u32(), tileAlign: reader.u32() },
    ...{ columns: reader.u32() + 1, rows: reader.u32() + 1 },
  }
  if (setup.columns * setup.rows > TILE_LIMIT) throw corrupt()
  const isWhole = chroma.width === 1 && chroma.height === 1
  // Only these define where the fewer samples of chroma are; with padding their rows would differ.
  if (!isWhole && (!['component', 'mixed', 'multi-y'].includes(interleave) || setup.rowAlign > 0))
    throw unknownCoding()
  if (interleave === 'multi-y' && chroma.height > 1) throw unknownCoding()
  return setup
}

function kindsOf(box: Box | undefined): (Kind | undefined)[] {
  if (!box) throw corrupt()
  const reader = new ByteReader(box.body)
  const count = reader.u32()
  if (count > COMPONENT_LIMIT) throw unknownCoding()
  return Array.from({ length: count }, () => {
    const type = reader.u16()
    // The user's own kinds have a name.
    if (type >= 0x8000) zeroTerminated(reader)
    return KINDS[type]
  })
}

function named(name: string): Setup {
  const [kinds = '', interleave, sampling] = PROFILES[name] ?? []
  const chroma = CHROMA[sampling ?? 0]
  if (!interleave || !chroma) throw unknownCoding()
  const components = kinds.split(' ').flatMap(kind => (isKind(kind) ? [{ kind, bits: 8, bytes: 0 }] : []))
  return {
    ...{ components, interleave, chroma, littleEndian: false },
    ...{ pixelBytes: 0, rowAlign: 0, tileAlign: 0, columns: 1, rows: 1 },
  }
}
