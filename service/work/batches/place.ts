import { createReadStream, createWriteStream } from 'node:fs'
import {
  access,
  chmod,
  constants,
  copyFile,
  link,
  mkdir,
  open,
  rename,
  rm,
  stat,
  utimes,
} from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { numberedName } from '../../shared/names/names.ts'
import { syncFile, syncFolder } from '../../store/interfaces/durable.ts'

/** Bytes copied at a time. */
const CHUNK_BYTES = 2 ** 20

/** A result to be saved to a folder of this machine. */
export interface Placement {
  /** Path of the result, which is kept. */
  from: string
  /**
   * The folder chosen by the person. It is never created: otherwise the mount point of a disconnected disk would be
   * filled.
   */
  root: string
  /** Subfolders, created if they are missing. */
  folders: readonly string[]
  /** Its name, or a numbered one if that is taken and `taken` allows it. */
  name: string
  taken: 'number' | 'refuse'
  /** Its modification time in the folder, in milliseconds since 1970; null for now. */
  modifiedAt: number | null
  /** A unique id of this result that is valid in file names. */
  id: string
  /** The path that an earlier attempt recorded with `remember`. */
  remembered: string | null
  /** Records the path before the last step, after which the folder no longer shows what was done. */
  remember(path: string): Promise<void>
  signal: AbortSignal
}

/** The name is taken, and no other name was allowed. */
export class NameTakenError extends Error {
  readonly path: string

  constructor(path: string) {
    super(`${path} is taken.`)
    this.name = 'NameTakenError'
    this.path = path
  }
}

/**
 * Puts a result into a folder, atomically and without overwriting anything. It is written to a temporary name in the same
 * folder, synced, and then linked into place; on a disk without links, an empty file reserves the name and the finished
 * file is moved over it. The next attempt completes an attempt that was interrupted at any point, without a second copy:
 * the partial file, its links and the recorded path show how far it got.
 * @returns the final path
 * @throws NameTakenError, or the file system's errors for `root` and what is below it
 */
export async function place(placement: Placement): Promise<string> {
  const { root, folders, name, remembered } = placement
  const folder = await makeFolders(root, folders)
  const partial = partialIn(folder, placement)
  const earlier = await earlierPlace(partial, folder, name, remembered)
  const { path, linked } = earlier ?? (await write(placement, partial, folder))
  // Also a place that only the partial file shows, which is about to be removed.
  if (linked && path !== remembered) await placement.remember(path)
  if (!linked) await rename(partial, path)
  await rm(partial, { force: true })
  await syncFolder(folder)
  return path
}

/** A reserved place: by the finished file itself, or by an empty file that it will be moved over and that is already recorded. */
interface Place {
  path: string
  linked: boolean
}

async function write(placement: Placement, partial: string, folder: string): Promise<Place> {
  const { from, modifiedAt, signal } = placement
  await rm(partial, { force: true })
  try {
    await fill(from, partial, signal)
    await syncFile(partial)
    // Results are kept private; in a person's folder they get the permissions of their other new files, if the disk supports
    // permissions.
    await chmod(partial, 0o666 & ~process.umask()).catch(() => {})
    // A result is saved even if the disk does not support such times.
    if (modifiedAt !== null) await utimes(partial, new Date(), new Date(modifiedAt)).catch(() => {})
    return await claim(placement, partial, folder)
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {})
    throw error
  }
}

/** The path of a result in its folder until it is complete. */
export const partialIn = (folder: string, { id }: Pick<Placement, 'id'>): string =>
  join(folder, `.refile-${id}.part`)

/** The folder of a result, with those of its subfolders that are missing. */
export async function makeFolders(root: string, folders: readonly string[]): Promise<string> {
  await access(root, constants.W_OK)
  let folder = root
  for (const name of folders) {
    folder = join(folder, name)
    // One by one, so that a missing root is not created.
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  return folder
}

/** The place that an earlier attempt reserved for this result; undefined if there is none. */
async function earlierPlace(
  partial: string,
  folder: string,
  name: string,
  remembered: string | null,
): Promise<Place | undefined> {
  const written = await identityOf(partial)
  if (remembered !== null) {
    const there = await identityOf(remembered)
    // Without a partial file, only reporting the result was left to do.
    if (there && (!written || there.file === written.file)) return { path: remembered, linked: true }
    if (written && there?.bytes === 0n) return { path: remembered, linked: false }
  }
  if (!written) return undefined
  for (let number = 1; ; number++) {
    const path = join(folder, numberedName(name, number))
    const there = await identityOf(path)
    if (!there) return undefined
    if (there.file === written.file) return { path, linked: true }
  }
}

async function identityOf(path: string): Promise<{ file: string; bytes: bigint } | undefined> {
  try {
    const { dev, ino, size } = await stat(path, { bigint: true })
    return { file: `${dev}:${ino}`, bytes: size }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Gives `to` the content of `from`: a clone if the disk supports that, otherwise a copy. Never a link: what the person does with
 * their file must not change the stored result, nor the other way round.
 */
async function fill(from: string, to: string, signal: AbortSignal): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL)
    return
  } catch {
    await rm(to, { force: true })
  }
  await pipeline(
    createReadStream(from, { highWaterMark: CHUNK_BYTES }),
    createWriteStream(to, { flags: 'wx', highWaterMark: CHUNK_BYTES }),
    { signal },
  )
}

/** Reserves the first free name, by linking the finished file to it or otherwise with an empty file. */
async function claim({ name, taken, remember }: Placement, partial: string, folder: string): Promise<Place> {
  let linked = true
  for (let number = 1; ; ) {
    const path = join(folder, numberedName(name, number))
    try {
      if (linked) await link(partial, path)
      else await reserve(path, remember)
      return { path, linked }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
        if (taken === 'refuse') throw new NameTakenError(path)
        number++
      } else if (!linked) throw error
      // FAT and some network drives have no links.
      else linked = false
    }
  }
}

/**
 * Reserves a free name with an empty file. The path is recorded first: nothing about the file itself shows whose it is, and one that
 * nobody knows would stay.
 */
async function reserve(path: string, remember: Placement['remember']): Promise<void> {
  if (!(await identityOf(path))) await remember(path)
  await (await open(path, 'wx')).close()
}
