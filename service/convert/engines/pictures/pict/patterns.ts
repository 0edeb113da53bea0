import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { ByteReader } from '../../common/byte-reader.ts'
import { type Rgb, readColor, readPalette } from './colors.ts'
import { heightOf, widthOf } from './geometry.ts'
import { finishMap, type PixelMap, readMapHeader } from './pixmaps.ts'

/** What shapes are painted with: 8 × 8 bits in the port's two colours, one colour, or a tile of pixels. */
export type Pattern =
  | { kind: 'bits'; rows: Uint8Array }
  | { kind: 'color'; color: Rgb }
  | { kind: 'tile'; map: PixelMap }

export const readBitPattern = (reader: ByteReader): Pattern => ({ kind: 'bits', rows: reader.take(8) })

export const solidPattern: Pattern = { kind: 'bits', rows: new Uint8Array(8).fill(255) }
export const clearPattern: Pattern = { kind: 'bits', rows: new Uint8Array(8) }

const MAX_TILE = 1024

/** Reads BkPixPat, PnPixPat or FillPixPat: a pattern of pixels (1) or of a colour to be dithered (2). */
export function readPixelPattern(reader: ByteReader): Pattern {
  const type = reader.u16()
  const rows = reader.take(8)
  if (type === 2) return { kind: 'color', color: readColor(reader) }
  if (type !== 1) return { kind: 'bits', rows }
  const header = readMapHeader(reader)
  if (widthOf(header.bounds) > MAX_TILE || heightOf(header.bounds) > MAX_TILE) {
    throw new JobFailure('jobs.too_large', message('pict.too_large_pattern'))
  }
  const palette = readPalette(reader)
  return { kind: 'tile', map: finishMap(reader, { ...header, palette, packed: true }) }
}
