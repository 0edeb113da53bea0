import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { ByteReader } from '../../common/byte-reader.ts'
import type { Edges } from '../../common/rectangle.ts'
import type { PsdDocument } from './document.ts'

export type Rect = Edges

export interface LayerChannel {
  /** 0 and up are colours, -1 transparency, -2 the mask, -3 the mask combined with the vector mask. */
  id: number
  /** As much as a truncated file has. */
  data: ByteReader
}

export interface LayerMask extends Rect {
  /** Value outside the rectangle, 0–255. */
  outside: number
  inverted: boolean
  channel: LayerChannel
}

export interface Layer extends Rect {
  /** Blend mode key such as `norm`, `mul `. */
  blend: string
  /** 0–1, the layer's opacity times its fill's. */
  opacity: number
  /** Painted only where the layer below it is. */
  clipped: boolean
  visible: boolean
  channels: LayerChannel[]
  mask: LayerMask | undefined
  /** Ends or starts a group: `end` is its lowest entry, `start` its uppermost, which has its settings. */
  divider: 'start' | 'end' | undefined
  /** Keys of the additional information, which identify adjustments and effects. */
  keys: Set<string>
}

export interface LayerInfo {
  layers: Layer[]
  /** Whether the first extra channel of the merged picture is its transparency. */
  transparent: boolean
  /** Whether the channels of all layers are complete. */
  complete: boolean
}

const MAX_LAYERS = 20_000
const wideKeys = new Set('LMsk Lr16 Lr32 Layr Mt16 Mt32 Mtrn Alph FMsk lnk2 FEid FXid PxSD'.split(' '))

/** Reads the layer records, bottom-most first. A document without layers gives an empty list. */
export function readLayers({ header, layers: section }: PsdDocument): LayerInfo {
  const none: LayerInfo = { layers: [], transparent: false, complete: true }
  const { large } = header
  const length = (reader: ByteReader) => (large ? reader.u64() : reader.u32())
  if (section.remaining < 8) return none
  const reader = new ByteReader(section.bytes, section.position, section.end)
  const info = reader.section(Math.min(length(reader), reader.remaining))
  if (info.remaining >= 2) return readRecords(info, large)
  // 16-bit and 32-bit documents store their layers in a tagged block after the global mask.
  if (reader.remaining < 4) return none
  reader.skip(Math.min(reader.u32(), reader.remaining))
  let found = none
  for (const { key, data } of taggedBlocks(reader, large)) {
    if (/^L(r16|r32|ayr)$/.test(key) && data.remaining >= 2) found = readRecords(data, large)
    // Its presence alone means that the merged picture has transparency.
    else if (/^Mt(rn|16|32)$/.test(key)) return { ...found, transparent: true }
  }
  return found
}

interface Block {
  key: string
  data: ByteReader
}

/** Additional layer information: blocks with a signature, a key, a length and data. Stops at the first damaged one. */
function* taggedBlocks(reader: ByteReader, large: boolean): Generator<Block> {
  while (reader.remaining >= 12) {
    const signature = reader.latin1(4)
    if (signature !== '8BIM' && signature !== '8B64') {
      // Some writers pad blocks to even lengths, others to multiples of four.
      reader.seek(reader.position - 3)
      continue
    }
    const key = reader.latin1(4)
    const wide = large && wideKeys.has(key)
    if (reader.remaining < (wide ? 8 : 4)) return
    const size = wide ? reader.u64() : reader.u32()
    yield { key, data: reader.section(Math.min(size, reader.remaining)) }
  }
}

function readRecords(reader: ByteReader, large: boolean): LayerInfo {
  const signed = reader.i16()
  const count = Math.abs(signed)
  if (count > MAX_LAYERS) {
    throw new JobFailure('jobs.too_large', message('psd.too_many_layers', { layers: count }))
  }
  const pending = Array.from({ length: count }, () => readRecord(reader, large))
  // The channels' pixels follow all records, in the same order.
  let complete = true
  const layers = pending.map(({ layer, sizes, mask }) => {
    layer.channels = sizes.map(({ id, size }) => {
      if (size > reader.remaining) complete = false
      return { id, data: reader.section(Math.min(size, reader.remaining)) }
    })
    layer.mask = mask && maskOf(mask, layer.channels)
    return layer
  })
  return { layers, transparent: signed < 0, complete }
}

/** Photoshop's own limit is 300,000; a longer side is due to damage. */
const MAX_SIDE = 1_000_000

function readRect(reader: ByteReader): Rect {
  const [top, left, bottom, right] = [reader.i32(), reader.i32(), reader.i32(), reader.i32()]
  if (right - left > MAX_SIDE || bottom - top > MAX_SIDE) {
    throw new JobFailure('jobs.corrupt_input', message('psd.damaged_layers'))
  }
  return { left, top, right, bottom }
}

function readRecord(reader: ByteReader, large: boolean) {
  const rect = readRect(reader)
  const sizes = Array.from({ length: reader.u16() }, () => ({
    id: reader.i16(),
    size: large ? reader.u64() : reader.u32(),
  }))
  reader.skip(4) // '8BIM'
  const blend = reader.latin1(4)
  const opacity = reader.u8() / 255
  const clipped = reader.u8() !== 0
  const flags = reader.u8()
  reader.skip(1)
  const extra = reader.section(reader.u32())
  const mask = readMask(extra.section(extra.u32()))
  extra.skip(extra.u32()) // blending ranges
  const name = extra.u8()
  extra.skip(name + ((4 - ((name + 1) & 3)) & 3))
  const layer: Layer = {
    ...rect,
    blend,
    opacity,
    clipped,
    visible: (flags & 2) === 0,
    channels: [],
    mask: undefined,
    divider: undefined,
    keys: new Set(),
  }
  for (const { key, data } of taggedBlocks(extra, large)) {
    layer.keys.add(key)
    if (key === 'lsct' || key === 'lsdk') readDivider(data, layer)
    else if (key === 'iOpa' && data.remaining >= 1) layer.opacity *= data.u8() / 255
  }
  return { layer, sizes, mask }
}

function readDivider(data: ByteReader, layer: Layer): void {
  if (data.remaining < 4) return
  const type = data.u32()
  layer.divider = type === 3 ? 'end' : type === 1 || type === 2 ? 'start' : undefined
  if (data.remaining >= 8) {
    data.skip(4)
    layer.blend = data.latin1(4)
  }
}

interface MaskRecord {
  user: Rect & { outside: number; flags: number }
  /** The mask combined with the vector mask, if there are both. */
  real: (Rect & { outside: number; flags: number }) | undefined
}

function readMask(data: ByteReader): MaskRecord | undefined {
  if (data.remaining < 18) return undefined
  const user = { ...readRect(data), outside: data.u8(), flags: data.u8() }
  if (data.remaining < 18) return { user, real: undefined }
  const flags = data.u8()
  const outside = data.u8()
  return { user, real: { ...readRect(data), outside, flags } }
}

function maskOf({ user, real }: MaskRecord, channels: LayerChannel[]): LayerMask | undefined {
  const joined = channels.find(channel => channel.id === -3)
  const channel = joined ?? channels.find(candidate => candidate.id === -2)
  const record = joined && real ? real : user
  const disabled = (record.flags & 2) !== 0
  if (!channel || disabled) return undefined
  return { ...record, inverted: (record.flags & 4) !== 0, channel }
}
