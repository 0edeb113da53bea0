/**
 * Sparse files of GNU tar, which only stores regions with data:
 * https://www.gnu.org/software/tar/manual/html_section/Sparse-Formats.html
 */
import { type ByteSource, take } from '../byte-queue.ts'
import { BLOCK_BYTES, type Header, numberAt } from './header.ts'

export interface SparseMap {
  /** Size of the file including its holes. */
  size: number
  /** Regions with data, in order: pairs of offset and length. */
  regions: [offset: number, length: number][]
  /** Size of the map, which precedes the file's own bytes. */
  mapBytes: number
}

/** Most regions of a file. */
const REGION_LIMIT = 1_000_000
const ZEROS = new Uint8Array(256 * 1024)

/** The map in a header of GNU's own type `S` and the blocks after it; undefined if it is damaged. */
export async function gnuMap({ block }: Header, source: ByteSource): Promise<SparseMap | undefined> {
  const regions: [number, number][] = []
  const read = (from: Buffer, at: number, count: number) => {
    for (let index = 0; index < count; index++) {
      const place = at + 24 * index
      if (from[place] === 0) return
      regions.push([numberAt(from, place, 12), numberAt(from, place + 12, 12)])
    }
  }
  read(block, 386, 4)
  for (let more = block[482]; more; ) {
    const next = await take(source, BLOCK_BYTES)
    if (next.length < BLOCK_BYTES || regions.length > REGION_LIMIT) return undefined
    read(next, 0, 21)
    more = next[504]
  }
  return { size: numberAt(block, 483, 12), regions, mapBytes: 0 }
}

/**
 * The map before the data of a file of version 1.0, as GNU tar and bsdtar write it; null for a file that is not sparse, undefined if it
 * is damaged, or of the versions of 2004 and 2005.
 */
export async function paxMap(
  pax: ReadonlyMap<string, Buffer>,
  source: ByteSource,
): Promise<SparseMap | null | undefined> {
  const text = (key: string) => pax.get(`GNU.sparse.${key}`)?.toString()
  if (text('major') === '1') return mapInData(Number(text('realsize')), source)
  return text('size') === undefined ? null : undefined
}

/** Version 1.0: lines of numbers before the data, padded to whole blocks. */
async function mapInData(size: number, source: ByteSource): Promise<SparseMap | undefined> {
  let text = ''
  let mapBytes = 0
  let count = Number.NaN
  const lines: number[] = []
  while (!(lines.length >= 2 * count)) {
    const block = await take(source, BLOCK_BYTES)
    if (block.length < BLOCK_BYTES || lines.length > 2 * REGION_LIMIT) return undefined
    mapBytes += BLOCK_BYTES
    text += block.toString('latin1')
    const parts = text.split('\n')
    text = parts.pop() ?? ''
    if (text.length > BLOCK_BYTES) return undefined
    for (const part of parts) {
      if (!/^\d+$/.test(part)) return undefined
      if (Number.isNaN(count)) count = Number(part)
      else lines.push(Number(part))
    }
  }
  const regions = Array.from({ length: count }, (_, index): [number, number] => [
    lines[2 * index]!,
    lines[2 * index + 1]!,
  ])
  return { size, regions, mapBytes }
}

/** Whether the regions are in order within the file, and their total length matches the stored data. */
export function isSound({ size, regions }: SparseMap, storedBytes: number): boolean {
  let end = 0
  let stored = 0
  for (const [offset, length] of regions) {
    if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || offset < end || length < 0)
      return false
    end = offset + length
    stored += length
  }
  return Number.isSafeInteger(size) && end <= size && stored === storedBytes
}

/** A sparse file with zeros in its holes, from its stored regions. */
export async function* filled(
  { size, regions }: SparseMap,
  stored: (length: number) => AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let at = 0
  for (const [offset, length] of [...regions, [size, 0] as const]) {
    while (at < offset) {
      const hole = ZEROS.subarray(0, Math.min(ZEROS.length, offset - at))
      at += hole.length
      yield hole
    }
    if (length > 0) yield* stored(length)
    at += length
  }
}
