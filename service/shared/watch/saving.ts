/** Saves results so that nobody finds half of one, and none replaces another file. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, lstat, open, rename, rm, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../make-folder.ts'
import { nameAround, numberedName } from '../names/names.ts'

/** The extension of a name, with both parts of `.tar.gz` and `.kepub.epub`; none that would be part of a path. */
export const extensionOf = (name: string): string => /\.((?:tar\.|kepub\.)?[^./\\:]+)$/.exec(name)?.[1] ?? ''

export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** What is written to a file: a web stream, or one of Node's. */
export type Content = ReadableStream<Uint8Array> | Readable

/**
 * Writes a stream beside the path that it will get.
 * @param tag makes the name of the partial file one of a kind
 * @param isSynced whether it is on the disk, and not only on its way there, when this returns; that takes milliseconds
 * @returns path of the partial file; nothing is left if the stream breaks
 */
export async function receive(stream: Content, path: string, tag: string, isSynced = true): Promise<string> {
  await makeFolder(dirname(path))
  // With its whole name before it, a name that just fits would not.
  const name = createHash('sha256').update(basename(path)).digest('hex').slice(0, 16)
  const partial = join(dirname(path), `.${name}.${tag}.part`)
  try {
    await pipeline(stream, createWriteStream(partial, { flags: 'w' }))
    if (isSynced) await syncFile(partial)
    return partial
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r+')
  await file.sync()
}

/** The name that is tried after `number - 1` others: `photo.jpg`, `photo (2).jpg`. */
export function numbered(path: string, number: number): string {
  return join(dirname(path), numberedName(basename(path), number))
}

/**
 * Gives a file a name that is free, beside itself: `photo.jpg`, or else `photo (2).jpg`.
 * @param announce called with each name before it is tried
 * @returns the name it got
 */
export async function place(
  partial: string,
  path: string,
  announce: (free: string) => Promise<void> = async () => {},
): Promise<string> {
  for (let number = 1; ; number++) {
    const free = numbered(path, number)
    await announce(free)
    if (await claim(partial, free)) return free
  }
}

/**
 * Gives a folder a name that is free, beside itself: `photos`, or else `photos (2)`.
 * @param announce called with each name before it is tried
 * @param onTaken called with each that is taken
 * @returns the name it got
 */
export async function placeFolder(
  partial: string,
  path: string,
  announce: (free: string) => Promise<void> = async () => {},
  onTaken: (taken: string) => void = () => {},
): Promise<string> {
  for (let number = 1; ; number++) {
    // What follows a dot in the name of a folder is no extension.
    const free = join(dirname(path), nameAround('', basename(path), number === 1 ? '' : ` (${number})`))
    // An empty folder would be replaced.
    if (!(await isThere(free))) {
      await announce(free)
      try {
        await rename(partial, free)
        return free
      } catch (error) {
        if (!(await isThere(free))) throw error
      }
    }
    onTaken(free)
  }
}

/** Renames a file to a name unless that is taken, which a plain rename would replace. */
async function claim(partial: string, free: string): Promise<boolean> {
  try {
    await link(partial, free)
    await unlink(partial)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error
  }
  // A disk without hard links: the name is taken first, and then replaced.
  try {
    await (await open(free, 'wx')).close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  await rename(partial, free)
  return true
}
