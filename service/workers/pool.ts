import { JobFailure } from '../errors.ts'
import { message } from '../messages/message.ts'
import type { TaskKind, WorkerTasks } from './protocol.ts'
import type { Spawn } from './spawn.ts'
import { notStarted, type TaskOptions, Worker, type WorkerLog } from './worker.ts'

export interface PoolSettings {
  entry: string
  env: Record<string, string>
  /** Most processes at once; further tasks wait in order. */
  size: number
  /** Tasks after which a process is replaced, to shed whatever engines leak. */
  tasksPerWorker?: number
  /** Time an idle process is kept warm. */
  idleMs?: number
  /** Memory one task may use, engines and programs included. */
  memoryLimitBytes?: number
  log?: WorkerLog
}

export interface RunOptions extends TaskOptions {
  /** A word for what the task loads; a warm process that did the same is preferred. */
  affinity?: string
}

interface Place {
  worker: Worker
  affinity: string | undefined
  busy: boolean
  retirement: NodeJS.Timeout | undefined
}

/**
 * Keeps worker processes warm and gives each one task at a time. A process that crashes, hangs, grows too
 * large or is canceled is killed with everything it started, and the next task gets a fresh one.
 */
export class WorkerPool {
  readonly #spawn: Spawn
  readonly #settings: Required<PoolSettings>
  readonly #places = new Set<Place>()
  readonly #waiting: (() => void)[] = []
  #closed = false

  constructor(spawn: Spawn, settings: PoolSettings) {
    this.#spawn = spawn
    this.#settings = {
      tasksPerWorker: 50,
      idleMs: 30_000,
      memoryLimitBytes: 4 * 2 ** 30,
      log: { error: () => {}, warn: () => {} },
      ...settings,
    }
  }

  /** Worker processes that live, those that are about to end included. */
  get size(): number {
    return this.#places.size
  }

  /** Process ids of all living workers. */
  get pids(): number[] {
    return [...this.#places].flatMap(({ worker }) => worker.pid ?? [])
  }

  /**
   * Runs one task.
   * @throws JobFailure when the task fails, crashes, or exceeds a limit; the signal's reason when aborted
   */
  async run<K extends TaskKind>(
    kind: K,
    request: WorkerTasks[K]['request'],
    options: RunOptions,
  ): Promise<WorkerTasks[K]['answer']> {
    options.signal?.throwIfAborted()
    const place = await this.#acquire(options)
    try {
      return await place.worker.run(kind, request, options)
    } finally {
      this.#release(place)
    }
  }

  /** Kills every worker; running tasks fail. Resolves when all of them are gone. */
  async close(): Promise<void> {
    this.#closed = true
    for (const resume of this.#waiting.splice(0)) resume()
    await Promise.all([...this.#places].map(place => this.#end(place)))
  }

  async #acquire(options: RunOptions): Promise<Place> {
    for (;;) {
      if (this.#closed) throw new JobFailure('jobs.interrupted', message('workers.shutting_down'))
      const idle = [...this.#places].filter(place => !place.busy && !place.worker.isEnding)
      const place =
        idle.find(candidate => candidate.affinity === options.affinity) ??
        (this.#places.size < this.#settings.size ? this.#start() : idle[0])
      if (place) {
        clearTimeout(place.retirement)
        place.busy = true
        place.affinity = options.affinity
        return place
      }
      await this.#turn(options.signal)
    }
  }

  /** Waits until a process may be free. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const resume = () => {
        signal?.removeEventListener('abort', abandon)
        resolve()
      }
      const abandon = () => {
        this.#waiting.splice(this.#waiting.indexOf(resume), 1)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abandon, { once: true })
      this.#waiting.push(resume)
    })
  }

  #start(): Place {
    const { entry, env, log, memoryLimitBytes } = this.#settings
    let worker: Worker
    try {
      worker = new Worker(this.#spawn(entry, env), { memoryBytes: memoryLimitBytes }, log)
    } catch (error) {
      log.error({ err: error }, 'a worker process could not be started')
      throw notStarted(error)
    }
    const place: Place = { worker, affinity: undefined, busy: false, retirement: undefined }
    this.#places.add(place)
    void worker.gone.then(() => {
      clearTimeout(place.retirement)
      this.#places.delete(place)
      this.#wake()
    })
    return place
  }

  #release(place: Place): void {
    place.busy = false
    if (place.worker.isEnding) return
    if (place.worker.tasks >= this.#settings.tasksPerWorker) void this.#end(place)
    else place.retirement = setTimeout(() => void this.#end(place), this.#settings.idleMs).unref()
    this.#wake()
  }

  #end(place: Place): Promise<void> {
    clearTimeout(place.retirement)
    return place.worker.kill()
  }

  #wake(): void {
    this.#waiting.shift()?.()
  }
}
