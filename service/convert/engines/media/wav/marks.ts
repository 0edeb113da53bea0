/**
 * Reads the marks of a WAV file: the chunk `cue ` with their positions, and the list `adtl` with their labels (Multimedia
 * Programming Interface and Data Specifications 1.0, chapter 3).
 */
import { decodeText } from '../../common/text.ts'

/** How many bytes of each of the two chunks are read. */
export const MARKS_BYTES = 1 << 16

/** A named position in a media file. */
export interface Mark {
  /** Samples from the start. */
  sample: number
  title: string
}

/** Positions by the number of their mark: each has 24 bytes, of which the last four are the position. */
export function positionsOf(cues: Buffer): Map<number, number> {
  const positions = new Map<number, number>()
  for (let at = 4; at + 24 <= cues.length; at += 24)
    positions.set(cues.readUInt32LE(at), cues.readUInt32LE(at + 20))
  return positions
}

/** Labels by the number of their mark, from the content of an `adtl` list. */
export function labelsOf(list: Buffer): Map<number, string> {
  const labels = new Map<number, string>()
  for (let at = 0; at + 12 <= list.length; ) {
    const bytes = list.readUInt32LE(at + 4)
    const text = list.subarray(at + 12, at + 8 + bytes)
    if (list.toString('latin1', at, at + 4) === 'labl') labels.set(list.readUInt32LE(at + 8), textOf(text))
    at += 8 + bytes + (bytes % 2)
  }
  return labels
}

/** Text up to its zero byte; old programs did not write UTF-8. */
function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return decodeText(end < 0 ? bytes : bytes.subarray(0, end))
}

/** Marks in the order of their positions. */
export const marksOf = (
  positions: ReadonlyMap<number, number>,
  labels: ReadonlyMap<number, string>,
): Mark[] =>
  [...positions]
    .map(([number, sample]) => ({ sample, title: labels.get(number) ?? '' }))
    .toSorted((a, b) => a.sample - b.sample)
