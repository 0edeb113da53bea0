import { lstat, mkdir, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, resolve } from 'node:path'
import { liesWithin } from '../../service/shared/names/within.ts'
import { UsageError } from '../exit-codes.ts'

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
   * The real path of a file that may be read; a relative one counts from the first folder.
   * @throws UsageError if it is elsewhere, is not there, or is no file
   */
  async input(given: string): Promise<string> {
    const path = await realpath(resolve(this.#first, given)).catch(() => '')
    // A file elsewhere is answered like one that is not there, so that nobody can find out what there is.
    if (path === '' || !this.#isAllowed(path))
      throw new UsageError(
        `There is no file ${given} in the allowed folders: ${this.#allowed.join(', ')}.`,
        pathErrors.notFound,
      )
    if (!(await lstat(path)).isFile()) throw new UsageError(`${given} is not a file.`, pathErrors.notAFile)
    return path
  }

  /**
   * The folder for a result: that of the file, or one below it, which is created.
   * @throws UsageError if it is elsewhere
   */
  async output(input: string, below: string | undefined): Promise<string> {
    const beside = dirname(input)
    if (below === undefined) return beside
    const steps = below.split(/[/\\]/)
    if (isAbsolute(below) || /^[a-z]:/i.test(below) || steps.includes('..')) throw leadsElsewhere(below)
    let folder = beside
    for (const step of steps.filter(word => word !== '' && word !== '.')) {
      folder = resolve(folder, step)
      await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      // A link may lead anywhere.
      folder = await realpath(folder)
      if (!this.#isAllowed(folder)) throw leadsElsewhere(below)
    }
    return folder
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

const leadsElsewhere = (below: string) =>
  new UsageError(
    `Results go below the folder of the file: "${below}" leads elsewhere.`,
    pathErrors.outputElsewhere,
  )
