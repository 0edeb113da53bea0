/** Reads the tables of an AVIF image sequence; the pictures are decoded elsewhere. */

import { type FileHandle, open } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { isDamage } from '../../common/damage.ts'
import { findBox, wholeBoxes } from '../../common/iso-boxes.ts'
import { boxesAt } from '../../common/iso-file-boxes.ts'
import { checkFrameCount, checkFramePixels } from '../../common/limits.ts'
import { readAt } from '../../common/read-at.ts'

export interface Sample {
  offset: number
  size: number
}

export interface Track {
  samples: Sample[]
  /** Sequence header to use if the first sample has none. */
  header: Buffer
  /** Matrix coefficients and range of an `nclx` colour box, which override the stream's own. */
  nclx: { matrix: number; full: boolean } | undefined
}

export interface SequenceTables {
  width: number
  height: number
  delays: number[]
  loop: number
  color: Track
  alpha: Track | undefined
  /** Whether all frames are in the file; frames from the first missing one on are left out. */
  complete: boolean
}

const MAX_MOVIE_BYTES = 32 * 2 ** 20
const FOREVER = 0xffffffffffffffffn
const FOREVER_32 = 0xffffffffn

const corrupt = (cause?: unknown) => new JobFailure('jobs.corrupt_input', undefined, { cause })

/**
 * Reads the tracks of an animated AVIF; undefined for a still picture, which has none.
 * @throws JobFailure `jobs.corrupt_input`, `jobs.unsupported_input` if it has no AV1 track, `jobs.too_large`
 */
export async function readSequence(path: string): Promise<SequenceTables | undefined> {
  await using file = await open(path)
  try {
    const movie = await movieOf(file)
    return movie && tablesOf(movie, (await file.stat()).size)
  } catch (error) {
    // Numbers in a damaged box can point outside it.
    throw isDamage(error) ? corrupt(error) : error
  }
}

/** The body of the `moov` box, wherever it is. */
async function movieOf(file: FileHandle): Promise<Buffer | undefined> {
  for await (const { start, end, whole } of boxesAt(file, 'moov')) {
    if (!whole) throw corrupt()
    if (end - start > MAX_MOVIE_BYTES) throw new JobFailure('jobs.too_large')
    return readAt(file, start, end - start)
  }
  return undefined
}

function tablesOf(movie: Buffer, fileSize: number): SequenceTables {
  const tracks = [...wholeBoxes(movie)].filter(({ type }) => type === 'trak').map(({ body }) => body)
  const handlerOf = (track: Buffer) => findBox(track, 'mdia', 'hdlr')?.toString('latin1', 8, 12)
  const color = tracks.find(track => ['pict', 'vide'].includes(handlerOf(track) ?? ''))
  if (!color) throw corrupt()
  const id = idOf(color)
  const alpha = tracks.find(
    track =>
      handlerOf(track) === 'auxv' && findBox(track, 'tref', 'auxl')?.readUInt32BE(0) === id && isAlpha(track),
  )
  const entry = sampleEntry(color)
  const width = entry.readUInt16BE(24)
  const height = entry.readUInt16BE(26)
  if (width === 0 || height === 0) throw corrupt()
  checkFramePixels(width, height)
  const delays = delaysOf(color)
  const read = { color: trackOf(color, delays.length), alpha: alpha && trackOf(alpha, delays.length) }
  const present = [read.color, read.alpha].filter(track => track !== undefined)
  const frames = Math.min(...present.map(track => wholeFrames(track, fileSize)))
  return {
    width,
    height,
    delays: delays.slice(0, frames),
    loop: loopOf(color),
    ...read,
    complete: frames === delays.length,
  }
}

/** Number of frames, from the first, that are in the file. Throws `JobFailure` corrupt_input if there is none. */
function wholeFrames({ samples }: Track, fileSize: number): number {
  const missing = samples.findIndex(({ offset, size }) => size === 0 || offset + size > fileSize)
  if (missing === 0) throw corrupt()
  return missing < 0 ? samples.length : missing
}

function required(value: Buffer | undefined): Buffer {
  if (!value) throw corrupt()
  return value
}

const table = (track: Buffer, type: string) => required(findBox(track, 'mdia', 'minf', 'stbl', type))

/** `tkhd` has the track's number after two times of 32 or, in version 1, 64 bits. */
function idOf(track: Buffer): number {
  const tkhd = required(findBox(track, 'tkhd'))
  return tkhd.readUInt32BE(tkhd[0] === 1 ? 20 : 12)
}

function sampleEntry(track: Buffer): Buffer {
  const entry = wholeBoxes(table(track, 'stsd').subarray(8)).find(({ type }) => type === 'av01')
  if (!entry) throw new JobFailure('jobs.unsupported_input', message('avif.not_av1'))
  return entry.body
}

/** Properties of a sample entry come after its 78 fixed bytes. */
const propertiesOf = (track: Buffer) => sampleEntry(track).subarray(78)

function isAlpha(track: Buffer): boolean {
  const type = findBox(propertiesOf(track), 'auxi')
  return type === undefined || /alpha|auxid:1/.test(type.toString('latin1', 4))
}

function delaysOf(track: Buffer): number[] {
  const mdhd = required(findBox(track, 'mdia', 'mdhd'))
  const timescale = mdhd.readUInt32BE(mdhd[0] === 1 ? 20 : 12)
  if (timescale === 0) throw corrupt()
  const stts = table(track, 'stts')
  const delays: number[] = []
  for (let entry = 0, entries = stts.readUInt32BE(4); entry < entries; entry++) {
    const count = stts.readUInt32BE(8 + entry * 8)
    const delay = (stts.readUInt32BE(12 + entry * 8) * 1000) / timescale
    checkFrameCount(delays.length + count)
    for (let nth = 0; nth < count; nth++) delays.push(delay)
  }
  if (delays.length === 0) throw corrupt()
  // Rounding the edges between frames keeps the total.
  let edge = 0
  return delays.map(delay => {
    const start = Math.round(edge)
    edge += delay
    return Math.round(edge) - start
  })
}

/** HEIF: an edit list with flag 1 repeats until the track's duration is over; without one, viewers loop endlessly. */
function loopOf(track: Buffer): number {
  const elst = findBox(track, 'edts', 'elst')
  if (!elst) return 0
  if ((elst[3]! & 1) === 0) return 1
  const tkhd = required(findBox(track, 'tkhd'))
  const wide = tkhd[0] === 1
  const duration = wide ? tkhd.readBigUInt64BE(28) : BigInt(tkhd.readUInt32BE(20))
  if (duration === (wide ? FOREVER : FOREVER_32)) return 0
  const once = elst[0] === 1 ? elst.readBigUInt64BE(8) : BigInt(elst.readUInt32BE(8))
  return once === 0n ? 0 : Math.max(1, Math.min(65_535, Math.ceil(Number(duration) / Number(once))))
}

function trackOf(track: Buffer, count: number): Track {
  const samples = samplesOf(track).slice(0, count)
  if (samples.length < count) throw corrupt()
  const properties = propertiesOf(track)
  const colr = findBox(properties, 'colr')
  const isNclx = colr && colr.length >= 11 && colr.toString('latin1', 0, 4) === 'nclx'
  return {
    samples,
    header: findBox(properties, 'av1C')?.subarray(4) ?? Buffer.alloc(0),
    nclx: isNclx ? { matrix: colr.readUInt16BE(8), full: colr[10]! >= 0x80 } : undefined,
  }
}

/** Locates samples by their sizes (`stsz`), chunks (`stco`, `co64`) and samples per chunk (`stsc`). */
function samplesOf(track: Buffer): Sample[] {
  const stsz = table(track, 'stsz')
  const common = stsz.readUInt32BE(4)
  const count = stsz.readUInt32BE(8)
  checkFrameCount(count)
  const large = findBox(track, 'mdia', 'minf', 'stbl', 'co64')
  const chunks = large ?? table(track, 'stco')
  const chunkCount = Math.min(chunks.readUInt32BE(4), count)
  const stsc = table(track, 'stsc')
  const entries = stsc.readUInt32BE(4)
  const samples: Sample[] = []
  for (let chunk = 0, entry = 0; chunk < chunkCount; chunk++) {
    while (entry + 1 < entries && stsc.readUInt32BE(8 + (entry + 1) * 12) <= chunk + 1) entry++
    const perChunk = stsc.readUInt32BE(12 + entry * 12)
    let offset = large ? Number(chunks.readBigUInt64BE(8 + chunk * 8)) : chunks.readUInt32BE(8 + chunk * 4)
    for (let nth = 0; nth < perChunk && samples.length < count; nth++) {
      const size = common || stsz.readUInt32BE(12 + samples.length * 4)
      samples.push({ offset, size })
      offset += size
    }
  }
  return samples
}
