import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Edge } from '../../convert/catalogue/catalogue.ts'
import type { Converter } from '../../convert/catalogue/converter.ts'
import { type EngineDeclaration, engines, showing } from '../../convert/catalogue/engines.ts'
import { type FormatKey, splitName } from '../../convert/catalogue/formats.ts'
import { type Comparison, needsOffice, THUMBNAIL_EDGES } from '../../convert/catalogue/preview.ts'
import type { Options, TaskInput } from '../../convert/catalogue/task.ts'
import type { WorkerPool } from '../../sandbox/workers/pool.ts'
import { asJobFailure, JobFailure } from '../../shared/errors.ts'
import { type Message, message } from '../../shared/messages/message.ts'
import type { Cleanup } from '../../store/interfaces/cleanup.ts'
import { guid } from '../../store/interfaces/ids.ts'
import { FileChangedError } from '../../store/interfaces/source.ts'
import { type Cached, ownFile, type PreviewCache } from './cache.ts'
import { Shared } from './shared.ts'
import type { Viewed } from './viewed.ts'

/** How long making a file's thumbnail may take before it counts as impossible. */
const THUMBNAIL_MS = 30_000
const COMPARISON_MS = 45_000
/** For files laid out by an office suite, which takes seconds to start. */
const OFFICE_MS = 90_000
/** How many bytes of temporary files may be written. */
const FOLDER_BYTES = 2 ** 30

/** A comparison, with the warnings it caused. */
export interface Compared extends Comparison {
  warnings: Message[]
  /** Why there is no comparison to show. */
  problem: { code: string; reason: Message } | null
}

/** What has to be known of a file to draw it. */
type Drawn = Pick<Viewed, 'name' | 'bytes' | 'format' | 'probe' | 'checkout'>

export interface PreviewParts {
  pool: WorkerPool
  cache: PreviewCache
  cleanup: Cleanup
  /** Folder for temporary files. */
  scratch: string
}

/** Makes thumbnails and quick conversions in workers, caches them, and stops when nobody waits for them. */
export class Previews {
  readonly #parts: PreviewParts
  readonly #shared = new Shared()
  /** Thumbnails in progress, by key. */
  readonly #thumbnails = new Map<string, Promise<Cached<boolean> | undefined>>()

  constructor(parts: PreviewParts) {
    this.#parts = parts
  }

  /** Path of a preview file; undefined if it is gone. */
  pathOf(id: string, name: string, accountId: string): string | undefined {
    return this.#parts.cache.pathOf(id, name, accountId)
  }

  /** Deletes what was not viewed since a time. */
  sweep(unusedSince: number): Promise<void> {
    return this.#parts.cache.sweep(unusedSince)
  }

  /** Deletes all previews of these staged files or jobs, also those still being made. */
  evict(ids: readonly string[]): Promise<void> {
    return this.#parts.cache.evict(ids)
  }

  /**
   * The thumbnails of a file, one for each of `THUMBNAIL_EDGES`; none if there is nothing to see.
   * @param signal aborts when nobody waits any more: a thumbnail that waits for a process is dropped, one that was
   * started is
   * finished
   * @returns undefined if signal aborted first
   */
  async thumbnail(
    file: Viewed,
    accountId: string,
    signal: AbortSignal,
  ): Promise<Cached<boolean> | undefined> {
    const key = `${file.key} thumbnail`
    const known = this.#parts.cache.get<boolean>(key)
    if (known) return known
    if (file.format === null) return { id: '', facts: false, files: [] }
    let making = this.#thumbnails.get(key)
    if (!making) {
      making = this.#makeThumbnail(key, file, file.format, accountId, signal).finally(() =>
        this.#thumbnails.delete(key),
      )
      this.#thumbnails.set(key, making)
    }
    return await Promise.race([making, over(signal)])
  }

  async #makeThumbnail(
    key: string,
    file: Viewed,
    format: FormatKey,
    accountId: string,
    waiting: AbortSignal,
  ): Promise<Cached<boolean> | undefined> {
    const { cache } = this.#parts
    using making = cache.begin(key, accountId, [file.id])
    try {
      return await this.#inFolder(async folder => {
        const made = await this.#draw(file, format, THUMBNAIL_EDGES, folder, { who: accountId, waiting })
        return cache.add(making, made !== null, made)
      })
    } catch (error) {
      if (waiting.aborted) return undefined
      throw error
    }
  }

  /**
   * A WebP of a file, of which nothing is kept; null if there is nothing to see.
   * @param edge its longest, in pixels
   * @throws the signal's reason
   */
  pictureOf(file: Drawn, edge: number, accountId: string, signal: AbortSignal): Promise<Buffer | null> {
    return this.#inFolder(async folder => {
      const { format } = file
      const made = format && (await this.#draw(file, format, [edge], folder, { who: accountId, signal }))
      const name = `${edge}.webp`
      return made && (await ownFile(made, name)) ? readFile(join(made, name)) : null
    })
  }

  /** The folder of the thumbnails of a file; null if there is nothing to see. */
  async #draw(
    file: Drawn,
    format: FormatKey,
    edges: readonly number[],
    folder: string,
    caller: { who: string; waiting?: AbortSignal; signal?: AbortSignal },
  ): Promise<string | null> {
    const isOffice = needsOffice(format)
    const how = {
      queue: 'thumbnail',
      engine: isOffice ? engines.office : showing,
      timeoutMs: isOffice ? OFFICE_MS : THUMBNAIL_MS,
      maxOutputBytes: FOLDER_BYTES,
      folder,
      ...caller,
    } as const
    const made = join(folder, 'shown')
    await mkdir(made)
    const isMade = await this.#attempt(file, input =>
      this.#parts.pool.run('thumbnail', { input, folder: made, edges }, how),
    )
    return isMade === true ? made : null
  }

  /**
   * Compares a file with what a conversion makes of it. Nothing is charged, and the result is only cached.
   * @param options validated, with all defaults
   * @param isDraft whether a smaller copy of a picture is converted, which is sooner done
   * @param signal aborts when nobody waits any more
   */
  convert(
    file: Viewed,
    { converter, targetKey }: Edge,
    options: Options,
    isDraft: boolean,
    accountId: string,
    signal: AbortSignal,
  ): Promise<Cached<Compared>> {
    const wanted = createHash('sha256')
      .update(JSON.stringify([targetKey, options, isDraft]))
      .digest('hex')
    const engine = engineOf(converter)
    const conversion = { job: converter.job, options }
    const how = { engine, conversion, isDraft }
    return this.#compare(`${file.key} ${wanted}`, file, null, how, accountId, signal)
  }

  /** Shows a file alone, or beside the result of a job. */
  show(
    file: Viewed,
    result: Viewed | null,
    accountId: string,
    signal: AbortSignal,
  ): Promise<Cached<Compared>> {
    const isOffice = [file, result].some(side => side?.format && needsOffice(side.format))
    const key = `${file.key} beside ${result?.key ?? 'nothing'}`
    return this.#compare(
      key,
      file,
      result,
      { engine: isOffice ? engines.office : showing },
      accountId,
      signal,
    )
  }

  #compare(
    key: string,
    file: Viewed,
    result: Viewed | null,
    how: {
      engine: EngineDeclaration
      conversion?: { job: string; options: Options }
      isDraft?: boolean
    },
    accountId: string,
    signal: AbortSignal,
  ): Promise<Cached<Compared>> {
    const { cache, pool } = this.#parts
    const known = cache.get<Compared>(key)
    if (known) return Promise.resolve(known)
    return this.#shared.run(key, signal, async stop => {
      using making = cache.begin(key, accountId, [file.id, ...(result ? [result.id] : [])])
      return await this.#inFolder(async folder => {
        const shown = join(folder, 'shown')
        const work = join(folder, 'work')
        await Promise.all([mkdir(shown), mkdir(work)])
        const warnings: Message[] = []
        await using other = result ? await checkedOut(result) : null
        const compared = await this.#attempt(file, input =>
          pool.run(
            'preview',
            {
              input,
              ...(how.conversion ? { conversion: how.conversion, isDraft: how.isDraft ?? false } : {}),
              ...(other ? { result: other.input } : {}),
              folder: work,
              shown,
            },
            {
              queue: 'preview',
              engine: how.engine,
              timeoutMs: how.engine === engines.office ? OFFICE_MS : COMPARISON_MS,
              folder,
              maxOutputBytes: FOLDER_BYTES,
              signal: stop,
              who: accountId,
              onWarning: warning => warnings.push(warning),
            },
          ),
        )
        if (!('code' in compared)) return cache.add(making, { ...compared, warnings, problem: null }, shown)
        const { code, reason } = compared
        const problem = { code, reason: code === 'jobs.timeout' ? message('preview.too_long') : reason }
        return cache.add<Compared>(making, { ...NOTHING, warnings, problem }, null)
      })
    })
  }

  /** A task's answer or failure; an abort is rethrown. */
  async #attempt<T>(file: Drawn, task: (input: TaskInput) => Promise<T>): Promise<T | JobFailure> {
    try {
      await using checked = await checkedOut(file)
      return await task(checked.input)
    } catch (error) {
      if (error instanceof FileChangedError)
        return new JobFailure('jobs.corrupt_input', message('input.changed'))
      const failure = asJobFailure(error)
      // If the worker was stopped with the service, that says nothing about the file.
      if (!(failure instanceof JobFailure) || failure.code === 'jobs.interrupted') throw error
      return failure
    }
  }

  async #inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
    const folder = join(this.#parts.scratch, `preview-${guid()}`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      return await use(folder)
    } finally {
      await this.#parts.cleanup.folder(folder)
    }
  }
}

const NOTHING: Comparison = { before: null, after: null, bytes: null, isEstimate: false, ssim: null }

/** What a quick conversion and a look at its result need together. */
function engineOf({ engine, target }: Converter): EngineDeclaration {
  // Speech is not transcribed for a preview.
  if (engine === 'speech') return showing
  return engines[needsOffice(target) ? 'office' : engine]
}

/** Resolves with nothing when a signal aborts. */
const over = (signal: AbortSignal) =>
  new Promise<undefined>(resolve => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })

/** A file as a task's input. */
async function checkedOut({ checkout, name, bytes, format, probe }: Drawn) {
  const local = await checkout()
  const input: TaskInput = {
    path: local.path,
    name,
    stem: splitName(name).stem,
    bytes,
    format: format ?? '',
    probe,
  }
  return { input, [Symbol.asyncDispose]: () => local[Symbol.asyncDispose]() }
}
