import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { constants, copyFile, link, lstat, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, relative } from 'node:path'
import { inputsOf, WORKER_FOLDER, WORKER_INPUTS, workOf } from '../confinement/grants.ts'
import { JobFailure } from '../errors.ts'
import { inputsIn, type Paths } from './requests.ts'

/** Larger files of other disks are read where they lie, by a process started for that; copying others is quicker. */
const COPY_BYTES = 64 * 2 ** 20

/** The input of a task on its way to a worker. */
export interface StagedInput {
  /** Where it has always been. */
  origin: string
  /** Where it lies for now. */
  path: string
  /** Whether that is the same place, so that a worker has to be granted it when it starts. */
  isInPlace: boolean
}

/**
 * Makes the content of a file available below `root`, from where it can be moved into the folder of any worker: by a link,
 * which costs nothing and which workers may only read, or on another disk by a copy, if it is small.
 */
async function stageInput(origin: string, root: string): Promise<StagedInput> {
  const staged = join(root, `input-${randomUUID()}`)
  try {
    const real = await realpath(origin)
    try {
      await link(real, staged)
    } catch {
      if ((await stat(real)).size > COPY_BYTES) return { origin, path: origin, isInPlace: true }
      await copyFile(real, staged, constants.COPYFILE_FICLONE)
    }
    return { origin, path: staged, isInPlace: false }
  } catch {
    // No longer there, or no room: whoever opens it says so.
    await rm(staged, { force: true })
    return { origin, path: origin, isInPlace: true }
  }
}

/** Does so with all that a request names. */
export const stageInputs = (request: Paths | null, root: string): Promise<StagedInput[]> =>
  Promise.all(request ? inputsIn(request).map(path => stageInput(path, root)) : [])

/** Takes back what `stageInput` did. */
export async function unstageInput({ path, isInPlace }: StagedInput): Promise<void> {
  if (!isInPlace) await rm(path, { force: true })
}

/**
 * The folder of one worker process, which the system confines it to: there it finds the inputs of its tasks, and there it
 * writes. Since what a process was granted can't be changed, tasks move in and out.
 */
export class OwnFolder {
  /** What its process is told by its environment. */
  readonly env: Record<string, string>
  readonly #path: string
  readonly #temporary: string

  /** @param inputs files that the process may read where they lie */
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

  /** Where all that it writes lies. */
  get work(): string {
    return workOf(this.#path)
  }

  /** Moves inputs and folders of a task in. @returns where each lies now */
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
   * Moves the folders of a task back, out of the worker's reach, and deletes what the task has left behind.
   * @throws the system's error when a folder that is there cannot be moved, as on a full disk
   */
  async release(folders: readonly string[]): Promise<void> {
    const moved = await Promise.allSettled(
      folders.map(folder => rename(join(this.work, basename(folder)), folder)),
    )
    const names = async (folder: string) => (await readdir(folder)).map(name => join(folder, name))
    const left = await Promise.all([inputsOf(this.#path), this.work, this.#temporary].map(names))
    const surplus = left.flat().filter(path => path !== this.#temporary)
    await Promise.all(surplus.map(path => rm(path, { recursive: true, force: true })))
    const failed = moved.find(result => result.status === 'rejected' && result.reason?.code !== 'ENOENT')
    if (failed?.status === 'rejected') throw failed.reason
  }

  /** Deletes it, once the process is gone. */
  async remove(): Promise<void> {
    await rm(this.#path, { recursive: true, force: true, maxRetries: 3 })
  }
}

/**
 * A file that a worker says it has made, by where it lies after the folder of the task was moved back. A worker that a
 * hostile file has taken over could name any file of this machine.
 * @throws JobFailure when it is not a file of its own in that folder
 */
export async function outputOf(path: string, taken: string, folder: string): Promise<string> {
  const name = relative(taken, path)
  const moved = join(folder, name)
  const isInside = name !== '' && !isAbsolute(name) && !name.startsWith('..')
  const isPlain = async () => {
    const [file, real, realFolder] = await Promise.all([lstat(moved), realpath(moved), realpath(folder)])
    return file.isFile() && file.nlink === 1 && real === join(realFolder, name)
  }
  if (isInside && (await isPlain().catch(() => false))) return moved
  throw new JobFailure('jobs.engine_crashed', undefined, {
    cause: new Error('The worker names an output that is none.'),
  })
}
