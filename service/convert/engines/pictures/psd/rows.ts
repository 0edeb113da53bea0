import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { ByteReader } from '../../common/byte-reader.ts'
import { unpackBits } from '../formats/packbits.ts'
import type { Header } from './header.ts'

/**
 * Returns the rows of one plane after the other, and undefined once the data are exhausted; the returned array is
 * overwritten by the next call.
 */
type NextRow = () => Uint8Array | undefined

type PlaneShape = Pick<Header, 'width' | 'height' | 'depth' | 'large'> & { planes: number }

const damaged = () => new JobFailure('jobs.corrupt_input', message('psd.damaged_pixels'))

export const rowBytes = ({ width, depth }: Pick<Header, 'width' | 'depth'>): number =>
  Math.ceil((width * depth) / 8)

/** Smallest share of the first plane that is worth reading. */
const MIN_SHARE = 0.01

/**
 * Opens the planes at the reader, which start with their compression code: 0 raw, 1 PackBits; Photoshop deflates
 * layers alone. Rows are big-endian samples. Planes with far too few bytes are refused before memory is allocated for
 * them.
 */
export function openRows(reader: ByteReader, shape: PlaneShape): NextRow {
  const compression = reader.u16()
  if (compression === 0) return rawRows(reader, shape)
  if (compression === 1) return packedRows(reader, shape)
  throw damaged()
}

function rawRows(reader: ByteReader, shape: PlaneShape): NextRow {
  const size = rowBytes(shape)
  if (reader.remaining < size * shape.height * MIN_SHARE) throw damaged()
  return () => (reader.remaining < size ? undefined : reader.take(size))
}

/** PackBits: a table of every row's packed length comes first. */
function packedRows(reader: ByteReader, shape: PlaneShape): NextRow {
  const { planes, height, large } = shape
  const rows = planes * height
  if (reader.remaining < rows * (large ? 4 : 2)) throw damaged()
  const lengths = new Uint32Array(rows)
  let first = 0
  for (let i = 0; i < rows; i++) {
    lengths[i] = large ? reader.u32() : reader.u16()
    if (i < height) first += lengths[i]!
  }
  if (reader.remaining < first * MIN_SHARE) throw damaged()
  const row = new Uint8Array(rowBytes(shape))
  let index = 0
  return () => {
    const length = lengths[index] ?? 0
    if (length > reader.remaining) return undefined
    index++
    const start = reader.skip(length)
    const written = unpackBits(reader.bytes, start, start + length, row)
    if (written < row.length) row.fill(0, written)
    return row
  }
}
