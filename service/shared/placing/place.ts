import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  access,
  chmod,
  constants,
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  unlink,
  utimes,
} from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { hashOfFile } from '../file-hash.ts'
import { makeFolder } from '../make-folder.ts'
import { nameAround, numberedName } from '../names/names.ts'
import { syncFile, syncFolder, unlessUnsupported } from './durable.ts'
import { createPartial, partialPath, sweepPartials } from './partial-name.ts'
import { unpackEach } from './unpack.ts'

/** Content to be placed: a web stream, one of Node's, or a file that is kept. */
export type Content = ReadableStream<Uint8Array> | Readable | { from: string }

/** Where something is to be placed. */
export interface Where {
  /** The folder that a person chose; links on the way to it are theirs. */
  root: string
  /** Folders below it: they are made if they are missing, and none may be a link. */
  folders?: readonly string[]
  /** Whether `root` is made too. Otherwise a disk that is not connected has no folder in its place. */
  isMade?: boolean
}

/** The name that something is to have. */
export interface Naming {
  name: string
  /** What to do if it is taken: give the first free number, refuse, or replace a file. */
  taken: 'number' | 'refuse' | 'replace'
  /** Called with each free name before it is given: after a crash, what is there may be what was placed. */
  announce?: (path: string) => Promise<void>
  /** The name that an attempt announced before it was interrupted; if an empty file reserved it, it is used. */
  announced?: string | null
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

/**
 * The folder where something is placed, made as far as it may be.
 * @throws the system's errors; ELOOP if a link is in the place of a folder below the root
 */
export async function folderOf({ root, folders = [], isMade = false }: Where): Promise<string> {
  if (isMade) await makeFolder(root)
  await access(root, constants.W_OK)
  let folder = root
  for (const name of folders) {
    folder = join(folder, name)
    await mkdir(folder).catch(async (error: NodeJS.ErrnoException) => {
      // Whoever else may write here could lead us to another folder.
      if ((await lstat(folder).catch(() => undefined))?.isSymbolicLink()) throw coded('ELOOP', folder)
      if (error.code !== 'EEXIST') throw error
    })
  }
  return folder
}

const coded = (code: string, path: string) => Object.assign(new Error(`${code}: ${path}`), { code, path })

/** What is finished but for its name: a file, or a folder of several, beside where it will be. Disposing removes it unless it was placed. */
export class PartialFile implements AsyncDisposable {
  readonly path: string
  /** The files in it, if it is a folder. */
  readonly #files: readonly string[] | undefined
  #where: Where | undefined

  private constructor(path: string, where: Where, files?: readonly string[]) {
    this.path = path
    this.#where = where
    this.#files = files
  }

  /** Writes content beside where it will be; nothing is left if it breaks off. @param isSynced whether it survives a power loss then */
  static async receive(
    content: Content,
    where: Where,
    { signal, isSynced = true }: { signal?: AbortSignal; isSynced?: boolean } = {},
  ): Promise<PartialFile> {
    const folder = await folderOf(where)
    if ('from' in content) {
      const cloned = await clone(content.from, folder)
      if (cloned !== undefined) return new PartialFile(cloned, where)
    }
    const { path, file } = await createPartial(folder)
    try {
      await using _file = file
      const source =
        'from' in content ? createReadStream(content.from, { highWaterMark: CHUNK_BYTES }) : content
      // A stream of the file's own would keep it open, or close it before it is synced.
      const write = async (chunks: AsyncIterable<Uint8Array>) => {
        for await (const chunk of chunks) await file.writeFile(chunk)
      }
      await pipeline(source, write, signal ? { signal } : {})
      if (isSynced) await file.sync().catch(unlessUnsupported)
      return new PartialFile(path, where)
    } catch (error) {
      await rm(path, { force: true }).catch(() => {})
      throw error
    }
  }

  /**
   * Unpacks a ZIP into a folder beside where it will be; nothing is left if that fails.
   * @throws DamagedResult if it cannot be unpacked, and the system's errors
   */
  static async unpack(
    archive: string,
    where: Where,
    { signal, isSynced = true }: { signal?: AbortSignal; isSynced?: boolean } = {},
  ): Promise<PartialFile> {
    const folder = await folderOf(where)
    await sweepPartials(folder)
    const path = partialPath(folder)
    await mkdir(path)
    try {
      const files = await unpackEach(archive, async (content, file) => {
        if (signal) addAbortSignal(signal, content)
        const received = await PartialFile.receive(content, below(path, file), { isSynced })
        return await giveName(received.path, dirname(join(path, file)), {
          name: basename(file),
          taken: 'number',
        })
      })
      if (isSynced) await syncFolder(path)
      return new PartialFile(path, where, files)
    } catch (error) {
      await rm(path, { recursive: true, force: true }).catch(() => {})
      throw error
    }
  }

  /** Gives it a time of modification, in milliseconds since 1970, where the disk can hold it. */
  async date(modifiedAt: number): Promise<void> {
    const date = new Date(modifiedAt)
    await Promise.all(
      (this.#files ?? [this.path]).map(file => utimes(file, new Date(), date).catch(() => {})),
    )
  }

  /**
   * Gives it its name, without replacing anything unless told so.
   * @returns the path that it has now
   * @throws NameTakenError, and the system's errors
   */
  async place(naming: Naming): Promise<string> {
    if (!this.#where) throw new Error('It has been placed.')
    // Whoever else may write here could have put a link there meanwhile.
    const folder = await folderOf({ ...this.#where, isMade: false })
    const path = await giveName(this.path, folder, naming, this.#files !== undefined)
    this.#where = undefined
    await syncFolder(folder)
    return path
  }

  /**
   * Gives each file of a folder a name of its own instead, all of them or none.
   * @param nameOf the path of a file below the root, by that in the folder
   * @returns their paths; those that were replaced are back if one cannot be placed
   */
  async placeEach(taken: Naming['taken'], nameOf = (file: string) => file): Promise<string[]> {
    const { root, folders = [] } = this.#where ?? { root: '' }
    const placed: { path: string; replaced: string | undefined }[] = []
    try {
      for (const file of this.#files ?? []) {
        const name = nameOf(relative(this.path, file))
        const folder = await folderOf({ root, folders: [...folders, ...below(root, name).folders] })
        const replaced = taken === 'replace' ? await setAside(join(folder, basename(name))) : undefined
        if (replaced !== undefined) placed.push({ path: join(folder, basename(name)), replaced })
        const path = await giveName(file, folder, { name: basename(name), taken })
        if (replaced === undefined) placed.push({ path, replaced })
      }
    } catch (error) {
      for (const { path, replaced } of placed)
        await (replaced === undefined ? rm(path) : rename(replaced, path))
      throw error
    }
    await Promise.all(placed.flatMap(({ replaced }) => (replaced === undefined ? [] : [rm(replaced)])))
    return placed.map(({ path }) => path)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#where) await rm(this.path, { recursive: true, force: true }).catch(() => {})
  }
}

/** Places content at once. @throws NameTakenError, and the system's errors */
export async function place(
  content: Content,
  { root, folders = [], isMade = false, ...naming }: Where & Naming,
  settings?: { signal?: AbortSignal; isSynced?: boolean },
): Promise<string> {
  await using partial = await PartialFile.receive(content, { root, folders, isMade }, settings)
  return await partial.place(naming)
}

/** Bytes copied at a time. */
const CHUNK_BYTES = 2 ** 20

/** A copy that shares the bytes of a file, if the disk has such. Never a link: a person may change their file. */
async function clone(from: string, folder: string): Promise<string | undefined> {
  await sweepPartials(folder)
  const path = partialPath(folder)
  try {
    await copyFile(from, path, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL)
  } catch {
    return undefined
  }
  // It has the permissions of what is copied, and gets those of a person's other new files, if the disk supports them.
  await chmod(path, 0o666 & ~process.umask()).catch(() => {})
  await syncFile(path)
  return path
}

async function giveName(
  from: string,
  folder: string,
  { name, taken, announce, announced }: Naming,
  isFolder = false,
): Promise<string> {
  if (announced && !isFolder && (await isReserved(announced))) {
    await renamePatiently(from, announced)
    return announced
  }
  for (let number = 1; ; number++) {
    // What follows a dot in the name of a folder is no extension.
    const numbered = isFolder
      ? nameAround('', name, number === 1 ? '' : ` (${number})`)
      : numberedName(name, number)
    const path = join(folder, numbered)
    if (taken === 'replace' || !(await isThere(path))) {
      await announce?.(path)
      if (taken === 'replace') await renamePatiently(from, path)
      if (taken === 'replace' || (await claim(from, path, isFolder))) return path
    }
    if (taken === 'refuse') throw new NameTakenError(path)
  }
}

/** Keeps what is about to be replaced under a name from which it can come back. @returns undefined if there is nothing */
async function setAside(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined)
  if (!found) return undefined
  if (found.isDirectory()) throw coded('EISDIR', path)
  const aside = `${partialPath(dirname(path))}.replaced`
  await link(path, aside).catch(() => rename(path, aside))
  return aside
}

/** Where a path below a root is. */
const below = (root: string, path: string): Where & { folders: string[] } => ({
  root,
  folders: dirname(path)
    .split(sep)
    .filter(part => part !== '.'),
})

/** Whether an empty file is there, which reserves the name for a file that was still to be moved over it. */
export const isReserved = async (path: string): Promise<boolean> => {
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() === true && found.size === 0
}

/** Moves a file or folder to a name unless that is taken. @returns whether it was free */
export async function claim(from: string, path: string, isFolder = false): Promise<boolean> {
  if (isFolder) {
    try {
      // One of that name is not replaced, unless it is empty.
      await renamePatiently(from, path)
      return true
    } catch (error) {
      if (await isThere(path)) return false
      throw error
    }
  }
  try {
    await link(from, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EXDEV' || code === 'ENOENT') throw error
    if (code === 'EEXIST' && !(await isSame(from, path))) return false
    // FAT, exFAT and many disks in a network have no links, and each says so in its own way.
    if (code !== 'EEXIST') return await claimByReserving(from, path)
  }
  await unlink(from)
  return true
}

/** Whether two names are of one file: a server may have linked it although its answer was lost. */
async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map(path => lstat(path, { bigint: true })))
  return a !== undefined && b !== undefined && a.ino !== 0n && a.ino === b.ino && a.dev === b.dev
}

/**
 * Moves a file over an empty one that takes the name first, so that whatever has its old name by then is moved and not removed.
 * @returns whether the name was free
 */
export async function claimByReserving(from: string, path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  try {
    await renamePatiently(from, path)
    return true
  } catch (error) {
    await rm(path, { force: true }).catch(() => {})
    throw error
  }
}

/** On Windows, a scanner of viruses may hold a new file for a moment. */
export async function renamePatiently(from: string, to: string): Promise<void> {
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

/** The files in a folder and those below it. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

/** For a promise's `catch`: what stands for something that is not there. Any other error does not say so. */
export const ifGone =
  <Instead>(instead: Instead) =>
  (error: NodeJS.ErrnoException): Instead => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return instead
    throw error
  }

/** SHA-256 of the content of a file, or of the names and contents of the files in a folder. */
export async function hashOf(path: string): Promise<string> {
  if (!(await lstat(path)).isDirectory()) return hashOfFile(path)
  const hash = createHash('sha256')
  for (const file of (await filesIn(path)).toSorted())
    hash.update(`${await hashOfFile(file)} ${relative(path, file)}\n`)
  return hash.digest('hex')
}
