/** Boxes of files on disk, found without reading their content. */
import type { FileHandle } from 'node:fs/promises'
import { HEADER_BYTES, readHeader } from './iso-boxes.ts'
import { readAt } from './read-at.ts'

export interface FileBox {
  type: string
  /** Start of its content, after the header. */
  start: number
  end: number
  /** False if it claims to extend beyond `end`, as in a truncated file. */
  whole: boolean
}

/** Maximum number of boxes examined in one parent; real files have a few dozen. */
const BOX_LIMIT = 4096

/** The boxes between two positions of a file; stops at the first invalid one. */
export async function* boxesBetween(file: FileHandle, start: number, end: number): AsyncGenerator<FileBox> {
  let offset = start
  for (let count = 0; offset + 8 <= end && count < BOX_LIMIT; count++) {
    const header = readHeader(await readAt(file, offset, HEADER_BYTES), end - offset)
    if (!header) return
    const next = offset + header.bytes
    yield {
      type: header.type,
      start: offset + header.headerBytes,
      end: Math.min(end, next),
      whole: next <= end,
    }
    offset = next
  }
}

/** All boxes at a path such as `moov`, `trak`, `mdia`, from the top of the file. */
export async function* boxesAt(file: FileHandle, ...path: string[]): AsyncGenerator<FileBox> {
  yield* below(file, { start: 0, end: (await file.stat()).size }, path)
}

/** All boxes at a path below a box. */
export async function* below(
  file: FileHandle,
  parent: Pick<FileBox, 'start' | 'end'>,
  path: readonly string[],
): AsyncGenerator<FileBox> {
  const [type, ...rest] = path
  for await (const box of boxesBetween(file, parent.start, parent.end)) {
    if (box.type !== type) continue
    // `meta` has a version before its boxes, except in QuickTime files.
    const shift =
      type === 'meta' && (await readAt(file, box.start + 4, 4)).toString('latin1') !== 'hdlr' ? 4 : 0
    if (rest.length === 0) yield box
    else yield* below(file, { ...box, start: box.start + shift }, rest)
  }
}

/** The first bytes of what the first of some boxes contains; undefined if there is none. */
export async function startOf(
  file: FileHandle,
  boxes: AsyncGenerator<FileBox>,
  bytes: number,
): Promise<Buffer | undefined> {
  for await (const { start } of boxes) return readAt(file, start, bytes)
  return undefined
}

/** The kind of a track: `soun`, `vide`, `text`, …; empty if it does not say. */
export const handlerOf = async (file: FileHandle, track: FileBox): Promise<string> =>
  (await startOf(file, below(file, track, ['mdia', 'hdlr']), 12))?.toString('latin1', 8) ?? ''
