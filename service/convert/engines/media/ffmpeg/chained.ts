/**
 * Detects chains: several Ogg media files one after the other in one file (RFC 3533, section 4), as recorders of internet radio
 * write them. The length in their header is that of the last one.
 */
import { open } from 'node:fs/promises'
import { readAt } from '../../common/read-at.ts'
import { OGG_TAIL_BYTES } from './cut-off.ts'

/** Most streams that are played at the same time. */
const STREAM_LIMIT = 64

/** Marks the first page of a stream. */
const BEGIN = 2

/** Whether the last page belongs to none of the streams with which the file begins. */
export async function isChained(path: string): Promise<boolean> {
  await using file = await open(path, 'r')
  const { size } = await file.stat()
  const first = new Set<number>()
  for (let at = 0; first.size < STREAM_LIMIT; ) {
    const page = await readAt(file, at, 27 + 255)
    if (page.length < 28 || page.toString('latin1', 0, 4) !== 'OggS' || !((page[5] as number) & BEGIN)) break
    first.add(page.readUInt32LE(14))
    const segments = page[26] as number
    at += 27 + segments + page.subarray(27, 27 + segments).reduce((sum, length) => sum + length, 0)
  }
  const tail = await readAt(file, Math.max(0, size - OGG_TAIL_BYTES), OGG_TAIL_BYTES)
  const last = tail.lastIndexOf('OggS', undefined, 'latin1')
  return first.size > 0 && last >= 0 && last + 18 <= tail.length && !first.has(tail.readUInt32LE(last + 14))
}
