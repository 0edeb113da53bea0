import { constants, inflateSync } from 'node:zlib'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { ByteReader } from '../../common/byte-reader.ts'
import { unpackBits } from '../formats/packbits.ts'
import type { Header } from './header.ts'

/**
 * Returns the rows of one plane after the other, and undefined once the data are exhausted; the returned array is
 * overwritten by the next call.
 */
export type NextRow = () => Uint8Array | undefined

export interface PlaneShape {
  planes: number
  width: number
  height: number
  depth: Header['depth']
  large: boolean
}

const damaged = (options?: ErrorOptions) =>
  new JobFailure('jobs.corrupt_input', message('psd.damaged_pixels'), options)

export const rowBytes = (width: number, depth: Header['depth']): number =>
  depth === 1 ? (width + 7) >> 3 : width * (depth / 8)

/** Smallest share of the first plane that is worth reading. */
const MIN_SHARE = 0.01

/**
 * Opens the planes at the reader, which start with their compression code: 0 raw, 1 PackBits, 2 deflate, 3 deflate of
 * differences. Rows are big-endian samples. Planes with far too few bytes are refused before memory is allocated for
 * them.
 */
export function openRows(reader: ByteReader, shape: PlaneShape): NextRow {
  const compression = reader.u16()
  if (compression === 0) return rawRows(reader, shape)
  if (compression === 1) return packedRows(reader, shape)
  if (compression === 2) return deflatedRows(reader, shape)
  if (compression === 3) return predictedRows(deflatedRows(reader, shape), shape)
  throw damaged()
}

function rawRows(reader: ByteReader, { width, height, depth }: PlaneShape): NextRow {
  const size = rowBytes(width, depth)
  if (reader.remaining < size * height * MIN_SHARE) throw damaged()
  return () => (reader.remaining < size ? undefined : reader.take(size))
}

/** PackBits: a table of every row's packed length comes first. */
function packedRows(reader: ByteReader, shape: PlaneShape): NextRow {
  const { planes, width, height, depth, large } = shape
  const rows = planes * height
  if (reader.remaining < rows * (large ? 4 : 2)) throw damaged()
  const lengths = new Uint32Array(rows)
  let first = 0
  for (let i = 0; i < rows; i++) {
    lengths[i] = large ? reader.u32() : reader.u16()
    if (i < height) first += lengths[i]!
  }
  if (reader.remaining < first * MIN_SHARE) throw damaged()
  const row = new Uint8Array(rowBytes(width, depth))
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

/** Deflate compresses at most 1032 times, so a shorter stream cannot contain the planes. */
const DEFLATE_RATIO = 1032

function deflatedRows(reader: ByteReader, { planes, width, height, depth }: PlaneShape): NextRow {
  const size = rowBytes(width, depth)
  const total = size * height * planes
  if (reader.remaining * DEFLATE_RATIO < size * height * MIN_SHARE) throw damaged()
  let data: Uint8Array
  try {
    // What a truncated stream still yields is used.
    const options = { maxOutputLength: Math.max(total, 1), finishFlush: constants.Z_SYNC_FLUSH }
    data = inflateSync(reader.take(reader.remaining), options)
  } catch (cause) {
    throw damaged({ cause })
  }
  if (data.length < size) throw damaged()
  let position = 0
  return () => {
    if (position + size > data.length) return undefined
    const row = data.subarray(position, position + size)
    position += size
    return row
  }
}

/** Undoes the prediction: each sample is the difference from its left neighbour; 32-bit rows consist of byte planes. */
function predictedRows(next: NextRow, { width, depth }: PlaneShape): NextRow {
  if (depth === 16) {
    return () => {
      const row = next()
      if (!row) return undefined
      let sum = 0
      for (let i = 0; i < row.length; i += 2) {
        sum = (sum + ((row[i]! << 8) | row[i + 1]!)) & 0xffff
        row[i] = sum >> 8
        row[i + 1] = sum & 0xff
      }
      return row
    }
  }
  const accumulated = () => {
    const row = next()
    if (!row) return undefined
    for (let i = 1; i < row.length; i++) row[i] = row[i]! + row[i - 1]!
    return row
  }
  if (depth !== 32) return accumulated
  const interleaved = new Uint8Array(width * 4)
  return () => {
    const row = accumulated()
    if (!row) return undefined
    for (let x = 0, to = 0; x < width; x++) {
      for (let byte = 0; byte < 4; byte++) interleaved[to++] = row[byte * width + x]!
    }
    return interleaved
  }
}
