import { EventEmitter } from 'node:events'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hashOfFile } from '../../shared/file-hash.ts'
import { type Message, message } from '../../shared/messages/message.ts'
import { OutboundError } from '../../shared/net/errors.ts'
import type { Outbound } from '../../shared/net/outbound.ts'
import { download, install, ModelError, partOf, sizeOf } from './download.ts'
import { type InstalledModel, installedModels, type Model } from './model.ts'

export interface ModelState<M extends Model> {
  model: M
  state: 'absent' | 'downloading' | 'installed'
  /** Bytes present: of the download so far, or of the installed file. */
  received: number
  /** Size of the whole file; null while unknown. */
  total: number | null
  /** Why the last download failed. */
  problem: Message | null
  /** Whether it is in Refile's download folder and can be deleted from there. */
  own: boolean
}

export interface ModelsSettings<M extends Model> {
  /** Folder models are downloaded to. */
  folder: string
  /** Additional folders with models, which are only read. */
  others: readonly string[]
  outbound: Outbound
  /** The available models. */
  list: readonly M[]
}

interface Running {
  abort: AbortController
  received: number
  total: number | null
  ended: Promise<void>
}

/** Minimum time between two progress reports of a download. */
const REPORT_INTERVAL_MS = 250

/** The models of one kind on this machine and their downloads, which only start on request. */
export class Models<M extends Model> extends EventEmitter<{ model: [ModelState<M>] }> {
  readonly #settings: ModelsSettings<M>
  readonly #running = new Map<string, Running>()
  readonly #problems = new Map<string, Message>()

  constructor(settings: ModelsSettings<M>) {
    super()
    this.setMaxListeners(0)
    this.#settings = settings
  }

  /** Maximum file size over all of these models. */
  get mostBytes(): number {
    return Math.max(...this.#settings.list.map(({ mostBytes }) => mostBytes))
  }

  async list(): Promise<ModelState<M>[]> {
    const { folder, others, list } = this.#settings
    // Downloads first: one that ends while the folders are read is in neither list otherwise.
    const running = new Map(this.#running)
    const installed = await installedModels([folder, ...others], list)
    return Promise.all(list.map(model => this.#stateOf(model, installed, running.get(model.id))))
  }

  async get(id: string): Promise<ModelState<M> | undefined> {
    return (await this.list()).find(({ model }) => model.id === id)
  }

  /** Starts or resumes the download of a model; resolves when it has started. Events report its progress and end. */
  async start(id: string): Promise<ModelState<M> | undefined> {
    const known = await this.get(id)
    if (known?.state !== 'absent' || this.#running.has(id)) return known
    const { folder, outbound } = this.#settings
    const { model } = known
    const abort = new AbortController()
    const received = await sizeOf(partOf(folder, model))
    const running: Running = { abort, received, total: null, ended: Promise.resolve() }
    if (this.#running.has(id)) return this.get(id)
    this.#running.set(id, running)
    this.#problems.delete(id)
    let reported = Number.NEGATIVE_INFINITY
    const onProgress = (received: number, total: number | null) => {
      Object.assign(running, { received, total })
      if (performance.now() - reported < REPORT_INTERVAL_MS) return
      reported = performance.now()
      void this.#report(id)
    }
    running.ended = this.#end(
      id,
      abort.signal,
      download(model, { folder, outbound, signal: abort.signal, onProgress }),
    )
    return this.get(id)
  }

  /** Downloads a model unless it is here, and waits for the end of that. */
  async fetch(id: string): Promise<ModelState<M> | undefined> {
    await this.start(id)
    await this.#running.get(id)?.ended
    return this.get(id)
  }

  /** Stops a download; what has arrived is kept for the next start. */
  async cancel(id: string): Promise<void> {
    const running = this.#running.get(id)
    running?.abort.abort(new Error('canceled'))
    await running?.ended
  }

  /** Deletes a model, or its partial download, from the download folder. */
  async remove(id: string): Promise<void> {
    await this.cancel(id)
    const model = this.#settings.list.find(candidate => candidate.id === id)
    if (!model) return
    const { folder } = this.#settings
    await Promise.all(
      [join(folder, model.file), partOf(folder, model)].map(path =>
        rm(path, { recursive: true, force: true }),
      ),
    )
    this.#problems.delete(id)
    await this.#report(id)
  }

  /**
   * Installs a model from a file, recognised by its checksum; the file itself is kept.
   * @throws ModelError `unknown_model` if it is not in the list
   */
  async add(path: string): Promise<ModelState<M>> {
    const { folder, list } = this.#settings
    const model = await this.#recognise(path, list)
    if (!model) {
      throw new ModelError('unknown_model', message('models.unknown'))
    }
    await this.cancel(model.id)
    const copy = join(folder, `${model.file}.copy`)
    await mkdir(dirname(copy), { recursive: true })
    await copyFile(path, copy)
    await install(model, copy, folder)
    await rm(partOf(folder, model), { force: true })
    this.#problems.delete(model.id)
    await this.#report(model.id)
    return (await this.get(model.id))!
  }

  /** Stops every download. */
  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map(id => this.cancel(id)))
  }

  async #recognise(path: string, list: readonly M[]): Promise<M | undefined> {
    for (const algorithm of new Set(list.map(({ checksum }) => checksum.algorithm))) {
      const hex = await hashOfFile(path, algorithm)
      const found = list.find(({ checksum }) => checksum.algorithm === algorithm && checksum.hex === hex)
      if (found) return found
    }
    return undefined
  }

  /** Waits for a download to end, and reports the result. */
  async #end(id: string, signal: AbortSignal, downloading: Promise<void>): Promise<void> {
    try {
      await downloading
    } catch (error) {
      if (!signal.aborted) this.#problems.set(id, problemOf(error))
    }
    this.#running.delete(id)
    await this.#report(id)
  }

  async #stateOf(
    model: M,
    installed: readonly InstalledModel<M>[],
    running: Running | undefined,
  ): Promise<ModelState<M>> {
    const { folder } = this.#settings
    // Until it has ended, even if the model is in place: what is left of the download is still being removed.
    if (running) {
      const { received, total } = running
      return { model, state: 'downloading', received, total, problem: null, own: true }
    }
    const found = installed.find(candidate => candidate.model === model)
    const problem = this.#problems.get(model.id) ?? null
    if (found) {
      const own = found.path === join(folder, model.file)
      return { model, state: 'installed', received: found.bytes, total: found.bytes, problem: null, own }
    }
    const received = await sizeOf(partOf(folder, model))
    return { model, state: 'absent', received, total: null, problem, own: received > 0 }
  }

  async #report(id: string): Promise<void> {
    const state = await this.get(id)
    // A download that has ended meanwhile reports its end itself.
    const isOutdated = state?.state === 'downloading' && !this.#running.has(id)
    if (state && !isOutdated) this.emit('model', state)
  }
}

const problemOf = (error: unknown): Message =>
  error instanceof ModelError || error instanceof OutboundError ? error.reason : message('models.not_saved')
