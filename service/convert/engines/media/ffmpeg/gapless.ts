/**
 * Finds the start and end of the audio of an MP4 track. The last AAC packet is padded with silence, which ffmpeg
 * decodes too; an edit list or iTunes' own tag contains the true length.
 */
import { open } from 'node:fs/promises'
import { below, boxesAt, handlerOf, startOf } from '../../common/iso-file-boxes.ts'

/** Times of an audio track, from the tables of its MP4 file. */
export interface TrackTimes {
  /** Length of its edit list in seconds; null if there is none, or it plays more than one part of the track. */
  edited: number | null
  /** Ticks of its clock per second; 0 if unknown. */
  scale: number
  /** Length of all its packets in seconds; null if the table is too long to add up. */
  total: number | null
  /** Whether packets follow each other without gaps: all but the last have the same length. */
  steady: boolean
}

/** Times of the audio track at `position`; null if there is none. */
export async function timesOf(path: string, position: number): Promise<TrackTimes | null> {
  await using file = await open(path, 'r')
  const movieScale = scaleOf(await startOf(file, boxesAt(file, 'moov', 'mvhd'), 24))
  let audioTracks = 0
  for await (const track of boxesAt(file, 'moov', 'trak')) {
    if ((await handlerOf(file, track)) !== 'soun' || audioTracks++ < position) continue
    const list = await startOf(file, below(file, track, ['edts', 'elst']), 28)
    const scale = scaleOf(await startOf(file, below(file, track, ['mdia', 'mdhd']), 24))
    const runs = await startOf(file, below(file, track, ['mdia', 'minf', 'stbl', 'stts']), TABLE_BYTES)
    const edited = list && movieScale > 0 ? editedSeconds(list, movieScale) : null
    return { edited, total: totalOf(runs, scale), scale, steady: isSteady(runs) }
  }
  return null
}

/** Whether the first picture that an MP4 file shows is not the first that it holds, since its edit list begins later. */
export async function hidesPictures(path: string): Promise<boolean> {
  await using file = await open(path, 'r')
  for await (const track of boxesAt(file, 'moov', 'trak')) {
    if ((await handlerOf(file, track)) !== 'vide') continue
    const first = async (path: string[]) =>
      (await startOf(file, below(file, track, path), 48)) ?? Buffer.alloc(0)
    // Its first picture is shown by so much later than it is decoded.
    const delays = await first(['mdia', 'minf', 'stbl', 'ctts'])
    return firstEdit(await first(['edts', 'elst'])) > (delays.length >= 16 ? delays.readInt32BE(12) : 0)
  }
  return false
}

/** Where the first part of a track that is shown begins, in ticks of its clock; an entry of -1 only delays it. */
function firstEdit(list: Buffer): number {
  const size = list[0] === 1 ? 20 : 12
  for (let at = 8; at + size <= list.length; at += size) {
    const from = size === 20 ? Number(list.readBigInt64BE(at + 8)) : list.readInt32BE(at + 4)
    if (from >= 0) return from
  }
  return 0
}

/** Ticks per second in the header of a movie or track. */
function scaleOf(header: Buffer | undefined): number {
  return header?.length === 24 ? header.readUInt32BE(header[0] === 1 ? 20 : 12) : 0
}

/** How many bytes of the time table are read: 8000 runs of packets. */
const TABLE_BYTES = 64_008

/** Length of all packets in seconds, from `stts`. */
function totalOf(table: Buffer | undefined, scale: number): number | null {
  if (!table || table.length < 8 || scale === 0) return null
  const runs = table.readUInt32BE(4)
  if (runs === 0 || 8 + runs * 8 > table.length) return null
  let ticks = 0
  for (let at = 8; at < 8 + runs * 8; at += 8) ticks += table.readUInt32BE(at) * table.readUInt32BE(at + 4)
  return ticks / scale
}

/** Reads `stts`, which lists runs of packets of the same length: the number of runs, then packets and ticks of each. */
function isSteady(table: Buffer | undefined): boolean {
  const runs = table && table.length >= 16 ? table.readUInt32BE(4) : 0
  // The second of two runs may be a single packet.
  return runs === 1 || (runs === 2 && (table?.length ?? 0) >= 20 && table?.readUInt32BE(16) === 1)
}

function editedSeconds(list: Buffer, scale: number): number | null {
  if (list.length < 20 || list.readUInt32BE(4) !== 1) return null
  const long = list[0] === 1
  if (long && list.length < 28) return null
  const ticks = long ? Number(list.readBigUInt64BE(8)) : list.readUInt32BE(8)
  const from = long ? Number(list.readBigInt64BE(16)) : list.readInt32BE(12)
  return ticks > 0 && from >= 0 ? ticks / scale : null
}

/**
 * Number of samples from iTunes' `iTunSMPB` tag: the fourth of its hexadecimal numbers, after a zero, the padding at
 * the start and the padding at the end.
 */
export function taggedSamples(tag: string | undefined): number | null {
  const samples = Number.parseInt(tag?.trim().split(/\s+/)[3] ?? '', 16)
  return samples > 0 ? samples : null
}
