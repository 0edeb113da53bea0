import { randomUUID } from 'node:crypto'
import { lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { constants, copyFile, link, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { JobFailure } from '../../shared/errors.ts'
import { liesWithin } from '../../shared/names/within.ts'
import { removeTree } from '../../shared/remove-tree.ts'
import { inputsOf, WORKER_FOLDER, WORKER_INPUTS, workOf } from '../confinement/grants.ts'
import { inputsIn, type Paths } from './requests.ts'

/** Total size of all files in a folder and its subfolders; 0 if it is gone. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter(entry => entry.isFile())
      .map(entry =>
        stat(join(entry.parentPath, entry.name))
          .then(found => found.size)
          .catch(() => 0),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

// A look at one path of the data folder is synchronous: the thread pool would cost several times its processor time.

/** Larger files that cannot be cloned are read in place by a process started for that; smaller ones are quicker to copy. */
const COPY_BYTES = 64 * 2 ** 20

/** An input of a task, staged for a worker. */
export interface StagedInput {
  /** Its original path. */
  origin: string
  /** Where it is for now. */
  path: string
  /** Whether it is read at its original path, which a worker must be granted when it starts. */
  isInPlace: boolean
}

/**
 * Makes a file available below `root`, from where it can be moved into any worker's folder. A file of the data folder is linked,
 * which costs nothing. A person's own file is cloned, or copied if it is small: a worker that a hostile file has taken over could
 * otherwise change its mode, times and attributes through the link.
 */
async function stageInput(origin: string, root: string): Promise<StagedInput> {
  const staged = join(root, `input-${randomUUID()}`)
  try {
    const real = await realpath(origin)
    const isStaged =
      (isOurs(real, root) && (await succeeds(link(real, staged)))) ||
      (await succeeds(copyFile(real, staged, constants.COPYFILE_FICLONE_FORCE)))
    if (!isStaged) {
      await rm(staged, { force: true })
      if ((await stat(real)).size > COPY_BYTES) return { origin, path: origin, isInPlace: true }
      await copyFile(real, staged)
    }
    return { origin, path: staged, isInPlace: false }
  } catch {
    // The file is gone or the disk is full; whoever opens the file reports it.
    await rm(staged, { force: true })
    return { origin, path: origin, isInPlace: true }
  }
}

/** Whether a file is in the data folder, of which `root` is a folder. */
const isOurs = (path: string, root: string) => path.startsWith(`${dirname(realpathSync.native(root))}${sep}`)

const succeeds = (work: Promise<void>) =>
  work.then(
    () => true,
    () => false,
  )

/** Stages all inputs that a request names. */
export const stageInputs = (request: Paths | null, root: string): Promise<StagedInput[]> =>
  Promise.all(request ? inputsIn(request).map(path => stageInput(path, root)) : [])

/** Undoes `stageInput`. */
export async function unstageInput({ path, isInPlace }: StagedInput): Promise<void> {
  if (!isInPlace) await removeTree(path)
}

/**
 * The folder of one worker process, to which the system confines it: it finds the inputs of its tasks there and writes
 * there. What a process may access cannot be changed later, so tasks are moved in and out.
 */
export class OwnFolder {
  /** Environment variables with the process's folder and inputs. */
  readonly env: Record<string, string>
  readonly #path: string
  readonly #temporary: string

  /** @param inputs files that the process may read in place */
  constructor(root: string, inputs: readonly string[] = []) {
    this.#path = join(root, randomUUID())
    this.#temporary = join(this.work, '.temporary')
    for (const folder of [inputsOf(this.#path), this.#temporary])
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.env = {
      [WORKER_FOLDER]: this.#path,
      ...(inputs.length > 0 ? { [WORKER_INPUTS]: JSON.stringify(inputs) } : {}),
      ...(process.platform === 'win32' ? {} : { TMPDIR: this.#temporary }),
    }
  }

  /** The folder for everything the process writes. */
  get work(): string {
    return workOf(this.#path)
  }

  /** Moves the inputs and folders of a task in. @returns where each is now */
  async take(inputs: readonly StagedInput[], folders: readonly string[]): Promise<Map<string, string>> {
    const taken = new Map<string, string>()
    for (const [nth, { origin, path, isInPlace }] of inputs.entries()) {
      const place = isInPlace ? path : join(inputsOf(this.#path), String(nth))
      if (!isInPlace) await rename(path, place)
      taken.set(origin, place)
    }
    for (const folder of folders) {
      const place = join(this.work, basename(folder))
      await rename(folder, place)
      taken.set(folder, place)
    }
    return taken
  }

  /**
   * Moves the folders of a task back, out of the worker's reach, and deletes what the task left behind.
   * @throws the system's error if an existing folder cannot be moved, as on a full disk
   */
  async release(folders: readonly string[]): Promise<void> {
    const moved = await Promise.allSettled(
      folders.map(folder => rename(join(this.work, basename(folder)), folder)),
    )
    const names = async (folder: string) => (await readdir(folder)).map(name => join(folder, name))
    const left = await Promise.all([inputsOf(this.#path), this.work, this.#temporary].map(names))
    const surplus = left.flat().filter(path => path !== this.#temporary)
    await Promise.all(surplus.map(removeTree))
    const failed = moved.find(result => result.status === 'rejected' && result.reason?.code !== 'ENOENT')
    if (failed?.status === 'rejected') throw failed.reason
  }

  /** Deletes the folder, once the process is gone. */
  async remove(): Promise<void> {
    await removeTree(this.#path)
  }
}

/**
 * The path of a file that a worker says it has made, after the task's folder was moved back. A worker that a hostile
 * file has taken over could name any file of this machine.
 * @throws JobFailure if it is not a regular file in that folder
 */
export function outputOf(path: string, taken: string, folder: string): string {
  const name = relative(taken, path)
  const moved = join(folder, name)
  const isInside = name !== '' && liesWithin(taken, path)
  const isPlain = () => {
    const file = lstatSync(moved)
    const real = realpathSync.native(moved)
    return file.isFile() && file.nlink === 1 && real === join(realpathSync.native(folder), name)
  }
  try {
    if (isInside && isPlain()) return moved
  } catch {
    // It is gone, or was never there.
  }
  throw new JobFailure('jobs.engine_crashed', undefined, {
    cause: new Error('The worker names an output that is none.'),
  })
}
