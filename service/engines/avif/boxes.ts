/** ISO base media boxes (ISO/IEC 14496-12), as much as image sequences need. */
import type { FileHandle } from 'node:fs/promises'

export interface Box {
  type: string
  /** Offsets of the content in the buffer. */
  start: number
  end: number
}

/** Boxes between two offsets; stops at the first that does not fit. */
export function* boxes(file: Buffer, start = 0, end = file.length): Generator<Box> {
  let at = start
  while (at + 8 <= end) {
    let size = file.readUInt32BE(at)
    let header = 8
    if (size === 1 && at + 16 <= end) {
      size = Number(file.readBigUInt64BE(at + 8))
      header = 16
    } else if (size === 0) {
      size = end - at
    }
    if (size < header || at + size > end) return
    yield { type: file.toString('latin1', at + 4, at + 8), start: at + header, end: at + size }
    at += size
  }
}

/** First box down a path such as `['mdia', 'minf']`. */
export function find(file: Buffer, within: { start: number; end: number }, path: string[]): Box | undefined {
  let place: Box | undefined
  for (const type of path) {
    const parent: { start: number; end: number } = place ?? within
    place = undefined
    for (const box of boxes(file, parent.start, parent.end)) {
      if (box.type === type) {
        place = box
        break
      }
    }
    if (!place) return undefined
  }
  return place
}

export interface Track {
  /** `pict` for pictures, `auxv` for their transparency. */
  handler: string
  width: number
  height: number
  /** Units per second of `durations`. */
  timescale: number
  /** Duration of every sample. */
  durations: number[]
  /** Whether an edit list says that the track repeats. */
  repeats: boolean
  /** Duration of the edit list's one pass, in the movie's units; 0 when there is none. */
  passDuration: number
  /** Duration of the whole track, in the movie's units; Infinity for ever. */
  duration: number
  /** Offset of the last time-to-sample entry. */
  lastEntry: number
}

/** Most samples a sequence may have. */
const SAMPLE_LIMIT = 100_000

/** Tracks of a `moov` box's content; broken ones are left out. */
export function readTracks(file: Buffer, moov: { start: number; end: number }): Track[] {
  const tracks: Track[] = []
  for (const trak of boxes(file, moov.start, moov.end)) {
    if (trak.type !== 'trak') continue
    try {
      const track = readTrack(file, trak)
      if (track) tracks.push(track)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }
  return tracks
}

function readTrack(file: Buffer, trak: Box): Track | undefined {
  const tkhd = find(file, trak, ['tkhd'])
  const mdhd = find(file, trak, ['mdia', 'mdhd'])
  const hdlr = find(file, trak, ['mdia', 'hdlr'])
  const stts = find(file, trak, ['mdia', 'minf', 'stbl', 'stts'])
  const elst = find(file, trak, ['edts', 'elst'])
  if (!tkhd || !mdhd || !hdlr || !stts) return undefined
  const wide = file[tkhd.start] === 1
  const durations: number[] = []
  const count = file.readUInt32BE(stts.start + 4)
  for (let i = 0; i < count; i++) {
    const samples = file.readUInt32BE(stts.start + 8 + i * 8)
    const delta = file.readUInt32BE(stts.start + 12 + i * 8)
    for (let s = 0; s < samples && durations.length < SAMPLE_LIMIT; s++) durations.push(delta)
  }
  return {
    handler: file.toString('latin1', hdlr.start + 8, hdlr.start + 12),
    width: file.readUInt32BE(tkhd.end - 8) / 65_536,
    height: file.readUInt32BE(tkhd.end - 4) / 65_536,
    timescale: file.readUInt32BE(mdhd.start + (file[mdhd.start] === 1 ? 20 : 12)),
    durations,
    repeats: elst !== undefined && ((file[elst.start + 3] ?? 0) & 1) === 1,
    passDuration: elst ? readDuration(file, elst.start + 8, file[elst.start] === 1) : 0,
    duration: readDuration(file, tkhd.start + (wide ? 28 : 20), wide),
    lastEntry: stts.start + 8 + (count - 1) * 8,
  }
}

function readDuration(file: Buffer, at: number, wide: boolean): number {
  if (!wide) {
    const value = file.readUInt32BE(at)
    return value === 0xffff_ffff ? Number.POSITIVE_INFINITY : value
  }
  const value = file.readBigUInt64BE(at)
  return value === 0xffff_ffff_ffff_ffffn ? Number.POSITIVE_INFINITY : Number(value)
}

/** Largest `moov` box that is read. */
const MOOV_LIMIT = 32_000_000

/** Content of the file's `moov` box, which tells all about its tracks, and where it begins. */
export async function readMoov(file: FileHandle): Promise<{ content: Buffer; offset: number } | undefined> {
  const { size: length } = await file.stat()
  const header = Buffer.alloc(16)
  for (let at = 0; at + 8 <= length; ) {
    await file.read(header, 0, 16, at)
    const short = header.readUInt32BE(0)
    const wide = short === 1
    const size = wide ? Number(header.readBigUInt64BE(8)) : short === 0 ? length - at : short
    const offset = at + (wide ? 16 : 8)
    if (size < offset - at || at + size > length) return undefined
    if (header.toString('latin1', 4, 8) === 'moov') {
      if (size > MOOV_LIMIT) return undefined
      const content = Buffer.alloc(at + size - offset)
      await file.read(content, 0, content.length, offset)
      return { content, offset }
    }
    at += size
  }
  return undefined
}
