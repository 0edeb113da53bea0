/** Walks the boxes of MP4 and QuickTime files (ISO/IEC 14496-12, section 4.2) without reading what is in them. */
import type { FileHandle } from 'node:fs/promises'

export interface Box {
  type: string
  /** Where its content starts, behind the header. */
  start: number
  end: number
  /** False when it says that it goes on beyond `end`, as in a file that was cut off. */
  whole: boolean
}

/** Boxes looked at in one parent before giving up; real files have a few dozen. */
const LIMIT = 4096

/** The boxes between two positions of a file; stops at the first that cannot be one. */
export async function* boxes(file: FileHandle, start: number, end: number): AsyncGenerator<Box> {
  let offset = start
  for (let count = 0; offset + 8 <= end && count < LIMIT; count++) {
    const header = await readAt(file, offset, 16)
    if (header.length < 8) return
    const short = header.readUInt32BE(0)
    const long = short === 1 && header.length === 16
    const size = long ? Number(header.readBigUInt64BE(8)) : short === 0 ? end - offset : short
    const head = long ? 16 : 8
    if (size < head) return
    const type = header.toString('latin1', 4, 8)
    yield { type, start: offset + head, end: Math.min(end, offset + size), whole: offset + size <= end }
    offset += size
  }
}

/** All boxes at a path such as `moov`, `trak`, `mdia`, from the top of the file. */
export async function* boxesAt(file: FileHandle, ...path: string[]): AsyncGenerator<Box> {
  yield* below(file, { start: 0, end: (await file.stat()).size }, path)
}

/** All boxes at a path below a box. */
export async function* below(
  file: FileHandle,
  parent: Pick<Box, 'start' | 'end'>,
  path: readonly string[],
): AsyncGenerator<Box> {
  const [type, ...rest] = path
  for await (const box of boxes(file, parent.start, parent.end)) {
    if (box.type !== type) continue
    // `meta` has a version before its boxes, except in QuickTime files.
    const shift =
      type === 'meta' && (await readAt(file, box.start + 4, 4)).toString('latin1') !== 'hdlr' ? 4 : 0
    if (rest.length === 0) yield box
    else yield* below(file, { ...box, start: box.start + shift }, rest)
  }
}

/** What a track holds: `soun`, `vide`, `text`, …; empty when it does not say. */
export async function handlerOf(file: FileHandle, track: Box): Promise<string> {
  for await (const { start } of below(file, track, ['mdia', 'hdlr'])) {
    return (await readAt(file, start + 8, 4)).toString('latin1')
  }
  return ''
}

/** Up to `length` bytes at a position, fewer at the end of the file. */
export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
