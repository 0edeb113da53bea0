import { link, lstat, open, rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { nameAround, numberedName } from '../names/names.ts'

/** The name that something is to have. */
export interface Naming {
  name: string
  /** What to do if it is taken: give the first free number, refuse, or replace a file. */
  taken: 'number' | 'refuse' | 'replace'
  /** Called with each free name before it is given: after a crash, what is there may be the result. */
  announce?: (path: string) => Promise<void>
  /** The name that an attempt announced before it was interrupted; if an empty file reserved it, it is used. */
  announced?: string | null
  /** Called once it has its name; a file still has its old one, too, if it can be linked, so that a crash leaves it at a path that is known. */
  given?: (path: string) => Promise<void>
}

/** The name is taken, and no other name was allowed. */
export class NameTakenError extends Error {
  override readonly name: string = 'NameTakenError'
  readonly path: string

  constructor(path: string) {
    super(`${path} is taken.`)
    this.path = path
  }
}

export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Whether an error says that something is not there. Any other does not say so. */
export const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

/** For a promise's `catch`: what stands for something that is not there. */
export const ifGone =
  <Instead>(instead: Instead) =>
  (error: unknown): Instead => {
    if (isGone(error)) return instead
    throw error
  }

/**
 * Gives what is at a path its name in a folder.
 * @param kind a file of ours, a folder of ours, or a file that others may write to at this moment
 * @returns its path then
 * @throws NameTakenError, and the system's errors
 */
export async function giveName(
  from: string,
  folder: string,
  { name, taken, announce, announced, given }: Naming,
  kind: 'file' | 'folder' | 'original' = 'file',
): Promise<string> {
  for (let number = 1; ; number++) {
    // What follows a dot in the name of a folder is no extension.
    const isPlain = kind !== 'folder' || number === 1
    const numbered = isPlain ? numberedName(name, number) : nameAround('', name, ` (${number})`)
    const path = join(folder, numbered)
    // An empty file is taken for one that reserved the name before a crash.
    const isReserved = (kind === 'original' || path === announced) && (await isEmptyFile(path))
    if (taken === 'replace' || isReserved || !(await isThere(path))) {
      await announce?.(path)
      const isMoved = taken === 'replace' || isReserved
      if (isMoved) await renamePatiently(from, path)
      const claimed = isMoved ? 'moved' : await claim(from, path, kind)
      if (claimed) await given?.(path)
      if (claimed === 'linked') await unlink(from)
      if (claimed) return path
    }
    if (taken === 'refuse') throw new NameTakenError(path)
  }
}

/** Gives something a name unless that is taken. @returns whether it has its old name, too, or null if the new one was not free */
async function claim(from: string, path: string, kind: 'file' | 'folder' | 'original') {
  // Whatever has its old name by then is moved and not removed.
  if (kind === 'original') return reserve(from, path)
  try {
    // A folder of that name is not replaced, unless it is empty.
    if (kind === 'folder') await renamePatiently(from, path)
    else await link(from, path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (kind === 'folder' ? await isThere(path) : code === 'EEXIST' && !(await isSame(from, path)))
      return null
    if (kind === 'folder' || code === 'EXDEV' || code === 'ENOENT') throw error
    // FAT, exFAT and many disks in a network have no links, and each says so in its own way.
    if (code !== 'EEXIST') return reserve(from, path)
  }
  return kind === 'file' ? 'linked' : 'moved'
}

/** Whether two names are of one file: a server may have linked it although its answer was lost. */
async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = [await lstat(one, { bigint: true }), await lstat(other, { bigint: true })]
  return a.ino !== 0n && a.ino === b.ino && a.dev === b.dev
}

const isEmptyFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    found => found.isFile() && found.size === 0,
    () => false,
  )

/** Moves a file over an empty one that takes the name first. */
async function reserve(from: string, path: string) {
  try {
    await (await open(path, 'wx')).close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null
    throw error
  }
  try {
    await renamePatiently(from, path)
    return 'moved'
  } catch (error) {
    await rm(path, { force: true }).catch(() => {})
    throw error
  }
}

/** On Windows, a scanner of viruses may hold a new file for a moment. */
async function renamePatiently(from: string, to: string): Promise<void> {
  for (let left = process.platform === 'win32' ? 5 : 0; ; left--) {
    try {
      return await rename(from, to)
    } catch (error) {
      if (left === 0 || !['EACCES', 'EBUSY', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error
      await pause(100)
    }
  }
}
