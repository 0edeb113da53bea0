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
  readdir,
  rename,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { hashOfFile } from '../file-hash.ts'
import { makeFolder } from '../make-folder.ts'
import { syncFile, syncFolder } from './durable.ts'
import { giveName, type Naming } from './naming.ts'
import { partialPath, setAside } from './partial-name.ts'
import { unpackEach } from './unpack.ts'

/** Content to be written: a stream, or a file that is kept. */
export type Content = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | { from: string }

/** Where something is to be written. */
export interface Where {
  /** The folder that a person chose; links on the way to it are theirs. */
  root: string
  /** Folders below it: they are made if they are missing, and none may be a link. */
  folders?: readonly string[]
  /** Whether `root` is made too. Otherwise a disk that is not connected has no folder in its place. */
  isMade?: boolean
}

/** How something is written: until when, and whether it survives a power loss then. */
export interface Writing {
  signal?: AbortSignal
  isSynced?: boolean
}

/**
 * The folder where something is written, made as far as it may be.
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

/** What is finished but for its name: a file, or a folder of several, beside where it will be. Disposing removes it unless it was given its name. */
export class PartialFile implements AsyncDisposable {
  readonly path: string
  /** The files in it, if it is a folder. */
  readonly #files: string[] | undefined
  #where: Where | undefined

  private constructor(path: string, where: Where, files?: string[]) {
    this.path = path
    this.#where = where
    this.#files = files
  }

  /** Writes content beside where it will be; nothing is left if it breaks off. */
  static async receive(
    content: Content,
    where: Where,
    { signal, isSynced = true }: Writing = {},
  ): Promise<PartialFile> {
    const partial = new PartialFile(await partialPath(await folderOf(where)), where)
    try {
      if (!('from' in content && (await clone(content.from, partial.path)))) {
        const source =
          'from' in content ? createReadStream(content.from, { highWaterMark: 2 ** 20 }) : content
        const write = (chunks: AsyncIterable<Uint8Array>) => writeFile(partial.path, chunks, { flag: 'wx' })
        await pipeline(source, write, signal ? { signal } : {})
      }
      if (isSynced) await syncFile(partial.path)
      return partial
    } catch (error) {
      await partial[Symbol.asyncDispose]()
      throw error
    }
  }

  /**
   * Unpacks a ZIP into a folder beside where it will be; nothing is left if that fails.
   * @throws DamagedResult if it cannot be unpacked, and the system's errors
   */
  static async unpack(archive: string, where: Where, writing: Writing = {}): Promise<PartialFile> {
    const folder = new PartialFile(await partialPath(await folderOf(where)), where, [])
    try {
      await mkdir(folder.path)
      const files = await unpackEach(archive, async (content, file, modifiedAt) => {
        const below = { root: folder.path, folders: foldersOf(dirname(file)) }
        await using received = await PartialFile.receive(content, below, writing)
        await received.date(modifiedAt)
        return await received.place({ name: basename(file), taken: 'number' })
      })
      if (writing.isSynced !== false) await syncFolder(folder.path)
      folder.#files?.push(...files)
      return folder
    } catch (error) {
      await folder[Symbol.asyncDispose]()
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
    const path = await giveName(this.path, folder, naming, this.#files ? 'folder' : 'file')
    this.#where = undefined
    await syncFolder(folder)
    return path
  }

  /**
   * Gives each file of a folder a name of its own instead, all of them or none.
   * @param nameOf the path of a file below the root, by that in the folder
   * @returns their paths; those that were replaced are back if one cannot be given its name
   */
  async placeEach(taken: Naming['taken'], nameOf = (file: string) => file): Promise<string[]> {
    const { root, folders = [] } = this.#where ?? { root: '' }
    const named: { path: string; replaced?: string | undefined }[] = []
    try {
      for (const file of this.#files ?? []) {
        const path = nameOf(relative(this.path, file))
        const [name, folder] = [
          basename(path),
          await folderOf({ root, folders: [...folders, ...foldersOf(dirname(path))] }),
        ]
        const replaced = taken === 'replace' ? await keepAside(join(folder, name)) : undefined
        if (replaced !== undefined) named.push({ path: join(folder, name), replaced })
        const given = await giveName(file, folder, { name, taken })
        if (replaced === undefined) named.push({ path: given })
      }
    } catch (error) {
      for (const { path, replaced } of named)
        await (replaced === undefined ? rm(path) : rename(replaced, path).then(() => purge(replaced)))
      throw error
    }
    for (const { replaced } of named) if (replaced !== undefined) await purge(replaced)
    return named.map(({ path }) => path)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#where) await rm(this.path, { recursive: true, force: true }).catch(() => {})
  }
}

/** Places content at once. @throws NameTakenError, and the system's errors */
export async function place(
  content: Content,
  { root, folders = [], isMade = false, ...naming }: Where & Naming,
  writing?: Writing,
): Promise<string> {
  await using partial = await PartialFile.receive(content, { root, folders, isMade }, writing)
  return await partial.place(naming)
}

/** Makes a copy that shares the bytes of a file, if the disk has such. Never a link: a person may change their file. */
async function clone(from: string, path: string): Promise<boolean> {
  try {
    await copyFile(from, path, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL)
  } catch {
    return false
  }
  // It has the permissions of what is copied, and gets those of a person's other new files, if the disk supports them.
  await chmod(path, 0o666 & ~process.umask()).catch(() => {})
  return true
}

/** Keeps what is about to be replaced, from where it can come back. @returns undefined if there is nothing */
async function keepAside(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined)
  if (!found) return undefined
  if (found.isDirectory()) throw coded('EISDIR', path)
  return setAside(path, (from, to) => link(from, to).catch(() => rename(from, to)))
}

const purge = (aside: string) => rm(dirname(aside), { recursive: true })

/** The folders that a relative path leads through, outermost first. */
export const foldersOf = (path: string): string[] =>
  path.split(sep).filter(part => part !== '.' && part !== '')

/** SHA-256 of the content of a file, or of the names and contents of what is in a folder. */
export async function hashOf(path: string): Promise<string> {
  if (!(await lstat(path)).isDirectory()) return hashOfFile(path)
  const hash = createHash('sha256')
  for (const name of (await readdir(path)).toSorted())
    hash.update(`${await hashOf(join(path, name))} ${name}\n`)
  return hash.digest('hex')
}
