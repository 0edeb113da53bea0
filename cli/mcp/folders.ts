import { constants } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FileStamp } from '../../sdk/src/index.ts'
import { liesWithin } from '../../service/shared/names/within.ts'
import { folderOf } from '../../service/shared/placing/place.ts'
import { UsageError } from '../exit-codes.ts'

/** Links in the place of the file, and pipes that wait for a writer, are not followed or waited for; Windows has neither. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** Codes of paths that are refused. */
export const pathErrors = {
  /** Outside of the allowed folders, or not there: which of the two is not revealed. */
  notFound: 'path.not_found',
  notAFile: 'path.not_a_file',
  outputElsewhere: 'path.output_elsewhere',
  noneAllowed: 'path.no_folder_allowed',
} as const

/** The folders that a caller may read from and write to. Every path is compared without its links. */
export class Folders {
  readonly #allowed: readonly string[]
  readonly #never: string

  private constructor(allowed: readonly string[], never: string) {
    this.#allowed = allowed
    this.#never = never
  }

  /**
   * @param never a folder that stays closed even within an allowed one: that of the service's own data
   * @throws UsageError if one is no folder
   */
  static async open(given: readonly string[], never: string): Promise<Folders> {
    const allowed = await Promise.all(
      given.map(async folder => {
        const path = await realpath(folder).catch(() => '')
        if (path === '' || !(await lstat(path)).isDirectory())
          throw new UsageError(`There is no folder ${folder}.`)
        return path
      }),
    )
    return new Folders(allowed, await realpath(never).catch(() => resolve(never)))
  }

  get names(): readonly string[] {
    return this.#allowed
  }

  /**
   * A file that may be read, by its real path, and what was found when it was opened, since by then another one may have the path. A
   * relative path counts from the first folder; it may also be a `file:` URL, or begin with `~`.
   * @throws UsageError if it is elsewhere, is not there, or is no file
   */
  async input(given: string): Promise<{ path: string; stamp: FileStamp }> {
    const path = await realpath(resolve(this.#first, plain(given))).catch(() => '')
    // A file elsewhere is answered like one that is not there, so that nobody can find out what there is.
    const notFound = new UsageError(
      `There is no file ${given} in the allowed folders: ${this.#allowed.join(', ')}.`,
      pathErrors.notFound,
    )
    if (path === '' || !this.#isAllowed(path)) throw notFound
    const found = await lstat(path)
    if (!found.isFile()) throw new UsageError(`${given} is not a file.`, pathErrors.notAFile)
    await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const stamp = await file.stat()
    const isSame = stamp.ino === found.ino && stamp.dev === found.dev && (await realpath(path)) === path
    if (!isSame) throw notFound
    return { path, stamp }
  }

  /**
   * The folder for a result: that of the file, or one below it, which is created.
   * @throws UsageError if it is elsewhere
   */
  async output(input: string, below: string | undefined): Promise<string> {
    const root = dirname(input)
    if (below === undefined) return root
    const folders = below.split(/[/\\]/).filter(word => word !== '' && word !== '.')
    const isBelow = !isAbsolute(below) && !/^[a-z]:/i.test(below) && !folders.includes('..')
    if (!isBelow || !this.#isAllowed(join(root, ...folders))) throw leadsElsewhere(below)
    return folderOf({ root, folders }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ELOOP' ? leadsElsewhere(below) : error
    })
  }

  get #first(): string {
    const [first] = this.#allowed
    if (first === undefined)
      throw new UsageError(
        'No folder is allowed. Start `refile mcp` with --allow and a folder.',
        pathErrors.noneAllowed,
      )
    return first
  }

  #isAllowed(path: string): boolean {
    return this.#allowed.some(folder => liesWithin(folder, path)) && !liesWithin(this.#never, path)
  }
}

/** A path as the system knows it. */
function plain(given: string): string {
  if (!given.startsWith('file:')) return given.replace(/^~(?=[/\\]|$)/, homedir())
  try {
    return fileURLToPath(given)
  } catch {
    return given
  }
}

const leadsElsewhere = (below: string) =>
  new UsageError(
    `Results go below the folder of the file: "${below}" leads elsewhere.`,
    pathErrors.outputElsewhere,
  )
