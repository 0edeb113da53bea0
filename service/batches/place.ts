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
import { numberedName } from '../names/names.ts'
import { syncFile, syncFolder } from '../stores/durable.ts'

/** Bytes copied at a time. */
const CHUNK_BYTES = 2 ** 20

/** A result on its way into a folder of this machine. */
export interface Placement {
  /** Path of the result; it stays. */
  from: string
  /** Folder the person chose. It is never made: a disk that is not connected would be filled in its place. */
  root: string
  /** Folders below it, made where they are missing. */
  folders: readonly string[]
  /** Name it gets, or a numbered one where that is taken and `taken` says so. */
  name: string
  taken: 'number' | 'refuse'
  /** When it was changed last, as the folder is to show it, in milliseconds since 1970; null for now. */
  modifiedAt: number | null
  /** Tells this result from all others, and is a part of a file name. */
  id: string
  /** Path that `remember` was told at an earlier attempt. */
  remembered: string | null
  /** Stores the path before the last step, after which nothing in the folder tells what was done. */
  remember(path: string): Promise<void>
  signal: AbortSignal
}

/** There is something of this name already, and no other name was wanted. */
export class NameTakenError extends Error {
  readonly path: string

  constructor(path: string) {
    super(`${path} is taken.`)
    this.name = 'NameTakenError'
    this.path = path
  }
}

/**
 * Puts a result into a folder: whole or not at all, and over nothing that is there. It is written beside its place under a
 * name of its own, synced, and then linked into place; a disk without links gets an empty file under the wanted name,
 * over which the finished one is moved. An attempt that broke off anywhere is finished by the next one, without a second
 * copy: the partial file, its links and the remembered path tell how far it came.
 * @returns the path it got
 * @throws NameTakenError, or the file system's errors, of `root` and what is below it
 */
export async function place(placement: Placement): Promise<string> {
  const { root, folders, name, id, remembered } = placement
  const folder = await makeFolders(root, folders)
  const partial = join(folder, `.refile-${id}.part`)
  const earlier = await earlierPlace(partial, folder, name, remembered)
  const { path, linked } = earlier ?? (await write(placement, partial, folder))
  // Also a place that only the partial file told of, which is about to go.
  if (path !== remembered) await placement.remember(path)
  if (!linked) await rename(partial, path)
  await rm(partial, { force: true })
  await syncFolder(folder)
  return path
}

/** A place that is taken: by the finished file itself, or by an empty one that it is to be moved over. */
interface Place {
  path: string
  linked: boolean
}

async function write(
  { from, name, taken, modifiedAt, signal }: Placement,
  partial: string,
  folder: string,
): Promise<Place> {
  await rm(partial, { force: true })
  try {
    await fill(from, partial, signal)
    await syncFile(partial)
    // Results are kept private; in a person's folder they are like any new file of theirs, where the disk has owners at all.
    await chmod(partial, 0o666 & ~process.umask()).catch(() => {})
    // A disk that keeps no such times, or a time that it cannot hold, is no reason not to save.
    if (modifiedAt !== null) await utimes(partial, new Date(), new Date(modifiedAt)).catch(() => {})
    return await claim(partial, folder, name, taken)
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {})
    throw error
  }
}

async function makeFolders(root: string, folders: readonly string[]): Promise<string> {
  await access(root, constants.W_OK)
  let folder = root
  for (const name of folders) {
    folder = join(folder, name)
    // One by one, so that a root that is gone by now stays so.
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  return folder
}

/** The place that an earlier attempt has taken for this result; undefined when it came to nothing. */
async function earlierPlace(
  partial: string,
  folder: string,
  name: string,
  remembered: string | null,
): Promise<Place | undefined> {
  const written = await identityOf(partial)
  if (remembered !== null) {
    const there = await identityOf(remembered)
    // Without a partial file nothing was left to do but to tell of it.
    if (there && (!written || there.file === written.file)) return { path: remembered, linked: true }
    if (there?.bytes === 0n) return { path: remembered, linked: false }
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

/** Gives `to` the content of `from`: shared with it where the disk can do that, copied otherwise. */
async function fill(from: string, to: string, signal: AbortSignal): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL)
    return
  } catch {
    await rm(to, { force: true })
  }
  try {
    await link(from, to)
    return
  } catch {
    // Another disk, or one without links.
  }
  await pipeline(
    createReadStream(from, { highWaterMark: CHUNK_BYTES }),
    createWriteStream(to, { flags: 'wx', highWaterMark: CHUNK_BYTES }),
    { signal },
  )
}

/** Takes the first free name, by linking the finished file to it or else by an empty file. */
async function claim(
  partial: string,
  folder: string,
  name: string,
  taken: Placement['taken'],
): Promise<Place> {
  let linked = true
  for (let number = 1; ; ) {
    const path = join(folder, numberedName(name, number))
    try {
      if (linked) await link(partial, path)
      else await (await open(path, 'wx')).close()
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
