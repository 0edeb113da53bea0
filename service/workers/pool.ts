import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Phase } from '../catalogue/task.ts'
import { JobFailure } from '../errors.ts'
import { familyMemory } from './memory.ts'
import type { FromWorker, TaskKind, ToWorker, WorkerTasks } from './protocol.ts'
import type { Spawn, WorkerProcess } from './spawn.ts'

export interface PoolSettings {
  entry: string
  env: Record<string, string>
  /** Most processes at once; further tasks wait in order. */
  size: number
  /** Tasks after which a process is replaced, to shed whatever engines leak. */
  tasksPerWorker?: number
  /** Milliseconds an idle process is kept warm. */
  idle?: number
  /** Bytes of memory one task may use, engines and programs included. */
  memory?: number
  /** Called with the stack of errors no engine foresaw. */
  onUnforeseen?: (log: string) => void
}

export interface RunOptions {
  /** Milliseconds the task may take, start of the process included. */
  timeout: number
  signal?: AbortSignal
  /** A word for what the task loads; a warm process that did the same is preferred. */
  affinity?: string
  /** Folder whose size is watched while the task runs. */
  folder?: string
  /** Bytes `folder` may grow to. */
  maxOutput?: number
  onProgress?: (fraction: number, phase: Phase) => void
  onWarning?: (message: string) => void
}

interface Worker {
  process: WorkerProcess
  ready: Promise<void>
  tasks: number
  affinity: string | undefined
  /** What the process is working on; undefined while it waits for work. */
  current: { id: number; onMessage: (message: FromWorker) => void; onExit: () => void } | undefined
  retirement: NodeJS.Timeout | undefined
}

/** Milliseconds between two looks at a running task's memory and output. */
const WATCH_INTERVAL = 500

/**
 * Keeps worker processes warm and gives each one task at a time. A process that crashes, hangs, grows too
 * large or is canceled is killed with everything it started, and the next task gets a fresh one.
 */
export class WorkerPool {
  readonly #spawn: Spawn
  readonly #settings: Required<PoolSettings>
  readonly #workers = new Set<Worker>()
  readonly #waiting: (() => void)[] = []
  #lastId = 0
  #closed = false

  constructor(spawn: Spawn, settings: PoolSettings) {
    this.#spawn = spawn
    this.#settings = {
      tasksPerWorker: 50,
      idle: 30_000,
      memory: 4 * 2 ** 30,
      onUnforeseen: () => {},
      ...settings,
    }
  }

  /** Process ids of all living workers. */
  get pids(): number[] {
    return [...this.#workers].flatMap(worker => worker.process.pid ?? [])
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
    const worker = await this.#acquire(options)
    try {
      return await this.#work(worker, kind, request, options)
    } finally {
      this.#release(worker)
    }
  }

  /** Kills every worker; running tasks fail. */
  close(): void {
    this.#closed = true
    for (const worker of [...this.#workers]) this.#kill(worker)
    for (const resume of this.#waiting.splice(0)) resume()
  }

  async #acquire(options: RunOptions): Promise<Worker> {
    for (;;) {
      if (this.#closed) throw new JobFailure('jobs.interrupted', 'Refile is shutting down.')
      const idle = [...this.#workers].filter(worker => !worker.current)
      const worker =
        idle.find(candidate => candidate.affinity === options.affinity) ??
        (this.#workers.size < this.#settings.size ? this.#start() : idle[0])
      if (worker) {
        clearTimeout(worker.retirement)
        // Taken at once, before anything is awaited, so that no two tasks get the same process.
        worker.current = { id: ++this.#lastId, onMessage: () => {}, onExit: () => {} }
        worker.affinity = options.affinity
        return worker
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

  #start(): Worker {
    const process = this.#spawn(this.#settings.entry, this.#settings.env)
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
    ready.catch(() => {})
    const worker: Worker = {
      process,
      ready,
      tasks: 0,
      affinity: undefined,
      current: undefined,
      retirement: undefined,
    }
    process.onMessage(message => {
      const received = message as FromWorker
      if (received.type === 'ready') resolve()
      else if (received.id === worker.current?.id) worker.current.onMessage(received)
    })
    process.onExit(() => {
      this.#workers.delete(worker)
      // A process that died by itself may have left programs running.
      process.kill()
      reject(new JobFailure('jobs.engine_crashed'))
      worker.current?.onExit()
      this.#wake()
    })
    this.#workers.add(worker)
    return worker
  }

  #work<K extends TaskKind>(
    worker: Worker,
    kind: K,
    request: WorkerTasks[K]['request'],
    options: RunOptions,
  ): Promise<WorkerTasks[K]['answer']> {
    const current = worker.current!
    const { promise, resolve, reject } = Promise.withResolvers<WorkerTasks[K]['answer']>()
    const stop = (reason: unknown) => {
      this.#kill(worker)
      reject(reason)
    }
    const onAbort = () => stop(options.signal?.reason)
    // Deadline and abort count from here on, start of the process included: none of them may be lost to a cold start.
    const deadline = setTimeout(() => stop(new JobFailure('jobs.timeout')), options.timeout)
    const watch = setInterval(() => void this.#checkLimits(worker, options, stop), WATCH_INTERVAL)
    options.signal?.addEventListener('abort', onAbort, { once: true })
    if (options.signal?.aborted) onAbort()
    current.onExit = () => reject(new JobFailure('jobs.engine_crashed'))
    current.onMessage = message => {
      if (message.type === 'progress') options.onProgress?.(message.fraction, message.phase)
      else if (message.type === 'warning') options.onWarning?.(message.message)
      else if (message.type === 'done') resolve(message.answer as WorkerTasks[K]['answer'])
      else if (message.type === 'failed') {
        if (message.log) this.#settings.onUnforeseen(message.log)
        // After an error nobody foresaw the process may be in any state: it does not get another task.
        if (message.log) this.#kill(worker)
        reject(new JobFailure(message.code, message.detail))
      }
    }
    worker.ready.then(
      () => worker.process.post({ id: current.id, kind, request } satisfies ToWorker<K>),
      () => reject(new JobFailure('jobs.engine_crashed')),
    )
    return promise.finally(() => {
      clearTimeout(deadline)
      clearInterval(watch)
      options.signal?.removeEventListener('abort', onAbort)
    })
  }

  async #checkLimits(worker: Worker, options: RunOptions, stop: (reason: JobFailure) => void): Promise<void> {
    const { memory } = this.#settings
    const { pid } = worker.process
    if (pid !== undefined && ((await familyMemory(pid)) ?? 0) > memory) {
      const limit = (memory / 2 ** 30).toFixed(1)
      stop(
        new JobFailure(
          'jobs.too_large',
          `Converting this file needs more than ${limit} GiB of memory, the limit.`,
        ),
      )
    }
    if (options.folder && options.maxOutput && (await folderSize(options.folder)) > options.maxOutput) {
      stop(new JobFailure('jobs.output_too_large'))
    }
  }

  #release(worker: Worker): void {
    worker.current = undefined
    worker.tasks++
    if (!this.#workers.has(worker)) return
    if (worker.tasks >= this.#settings.tasksPerWorker) this.#kill(worker)
    else worker.retirement = setTimeout(() => this.#kill(worker), this.#settings.idle).unref()
    this.#wake()
  }

  #kill(worker: Worker): void {
    clearTimeout(worker.retirement)
    this.#workers.delete(worker)
    worker.process.kill()
    this.#wake()
  }

  #wake(): void {
    this.#waiting.shift()?.()
  }
}

/** Bytes of all files in a folder and below; 0 for one that is gone. */
async function folderSize(folder: string): Promise<number> {
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
