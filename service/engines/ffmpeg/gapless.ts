/**
 * Where the sound of an AAC track really ends. Its last packet is filled up with silence, which ffmpeg decodes too;
 * the file says how much is to be heard, in an edit list or in iTunes' own tag.
 */
import { open } from 'node:fs/promises'
import { type Box, below, boxesAt, readAt } from './boxes.ts'

/**
 * Seconds of the edit list of the audio track at `position`; null when there is none, or more than one part of the
 * track is played.
 */
export async function editedSeconds(path: string, position: number): Promise<number | null> {
  const file = await open(path, 'r')
  try {
    const first = async (boxes: AsyncGenerator<Box>, bytes: number) => {
      for await (const { start } of boxes) return readAt(file, start, bytes)
      return null
    }
    const movie = await first(boxesAt(file, 'moov', 'mvhd'), 24)
    const scale = movie?.length === 24 ? movie.readUInt32BE(movie[0] === 1 ? 20 : 12) : 0
    if (scale === 0) return null
    let sounds = 0
    for await (const track of boxesAt(file, 'moov', 'trak')) {
      const handler = await first(below(file, track, ['mdia', 'hdlr']), 12)
      if (handler?.toString('latin1', 8, 12) !== 'soun' || sounds++ < position) continue
      const list = await first(below(file, track, ['edts', 'elst']), 28)
      if (!list || list.length < 20 || list.readUInt32BE(4) !== 1) return null
      const long = list[0] === 1
      if (long && list.length < 28) return null
      const ticks = long ? Number(list.readBigUInt64BE(8)) : list.readUInt32BE(8)
      const from = long ? Number(list.readBigInt64BE(16)) : list.readInt32BE(12)
      return ticks > 0 && from >= 0 ? ticks / scale : null
    }
    return null
  } finally {
    await file.close()
  }
}

/**
 * Samples that iTunes' `iTunSMPB` tag says are to be heard: its fourth hexadecimal number, after a zero, the
 * silence at the start and the silence at the end.
 */
export function taggedSamples(tag: string | undefined): number | null {
  const samples = Number.parseInt(tag?.trim().split(/\s+/)[3] ?? '', 16)
  return samples > 0 ? samples : null
}
