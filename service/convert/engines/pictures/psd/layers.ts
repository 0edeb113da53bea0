import { ByteReader } from '../../common/byte-reader.ts'
import type { PsdDocument } from './document.ts'

export interface LayerInfo {
  /** Number of layers. */
  layers: number
  /** Whether the first extra channel of the merged picture is its transparency. */
  transparent: boolean
}

const wideKeys = new Set('LMsk Lr16 Lr32 Layr Mt16 Mt32 Mtrn Alph FMsk lnk2 FEid FXid PxSD'.split(' '))

/** Reads what the layer section says about the merged picture. */
export function readLayers({ header: { large }, layers: section }: PsdDocument): LayerInfo {
  const length = (reader: ByteReader) => (large ? reader.u64() : reader.u32())
  const counted = (signed: number): LayerInfo => ({ layers: Math.abs(signed), transparent: signed < 0 })
  let found = counted(0)
  if (section.remaining < 8) return found
  const reader = new ByteReader(section.bytes, section.position, section.end)
  const info = reader.section(Math.min(length(reader), reader.remaining))
  if (info.remaining >= 2) return counted(info.i16())
  // 16-bit and 32-bit documents store their layers in a tagged block after the global mask.
  if (reader.remaining < 4) return found
  reader.skip(Math.min(reader.u32(), reader.remaining))
  for (const { key, data } of taggedBlocks(reader, large)) {
    if (/^L(r16|r32|ayr)$/.test(key) && data.remaining >= 2) found = counted(data.i16())
    // Its presence alone means that the merged picture has transparency.
    else if (/^Mt(rn|16|32)$/.test(key)) return { ...found, transparent: true }
  }
  return found
}

/** Additional layer information: blocks with a signature, a key, a length and data. Stops at the first damaged one. */
function* taggedBlocks(reader: ByteReader, large: boolean): Generator<{ key: string; data: ByteReader }> {
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
