import { availableParallelism } from 'node:os'
import type { EngineDeclaration } from '../../convert/catalogue/engines.ts'
import type { Confinement } from '../confinement/confine.ts'
import { CARDS } from '../confinement/grants.ts'
import { admit, type Bounds, placesOf, type Queue, queues } from './admission.ts'
import { FairOrder } from './fair-order.ts'
import { type OwnFolder, outputOf, type StagedInput, stageInputs, unstageInput } from './own-folder.ts'
import { usageOf } from './process-tree.ts'
import type { TaskKind, WorkerTasks } from './protocol.ts'
import { foldersIn, withPaths } from './requests.ts'
import type { Spawn } from './spawn.ts'
import { GAP_MS, ThumbnailThrottle } from './thumbnail-throttle.ts'
import { type Process, type ProcessSettings, type Purpose, WarmProcesses } from './warm-processes.ts'
import { notStarted, shuttingDown, type TaskOptions, type Worker } from './worker.ts'

export interface PoolSettings
  extends Bounds,
    Pick<ProcessSettings, 'entry' | 'env'>,
    Partial<Omit<ProcessSettings, 'entry' | 'env'>> {
  /**
   * Minimum time between two starts of converting processes; none by default. A start blocks the service for 10 to 40 ms,
   * and several in a row would keep a caller waiting for all of them.
   */
  startIntervalMs?: number
  /** Cores that conversions may keep busy before thumbnails pause; by default those of the machine. */
  cores?: number
}

export interface RunOptions extends TaskOptions {
  /** The engine whose process runs the task. */
  engine: EngineDeclaration
  queue: Queue
  /** Whether the process may use graphics cards. */
  usesCards?: boolean
  /** Aborts the wait for a process, but not a task that has started. */
  waiting?: AbortSignal
  /** Whom the task is for, such as an account: callers waiting in a queue take turns. */
  who?: string
}

/** A task that waits for a process. */
interface Waiting extends Purpose {
  who: string
  /** Since when it waits, by the monotonic clock. */
  since: number
  /** How many later tasks have started while this one waited for memory. */
  overtaken: number
  resolve(process: Process): void
  reject(reason: unknown): void
}

/**
 * How many tasks may overtake one that waits for memory, so that small ones pass and a large one still gets its turn.
 */
const OVERTAKES = 10

/**
 * How long a conversion waits for one of the processes that keep every core busy, before it gets one of its own, as a multiple of the time that
 * a process takes to start: small files are sooner done, and a start takes as much of the processor as ten of them.
 */
const PATIENCE = 2
/** How long a start takes, as long as none was seen. */
const START_MS = 250

/**
 * Keeps worker processes warm by engine, gives each one task at a time, and runs as many as queues, engines and memory
 * allow. A process that crashes, hangs, grows too large or is canceled is killed with everything it started, and the next
 * task gets a fresh one.
 */
export class WorkerPool {
  readonly #settings: Required<Omit<PoolSettings, 'folders'>> & Pick<PoolSettings, 'folders'>
  readonly #processes: WarmProcesses
  readonly #waiting: Waiting[] = []
  readonly #orders = new Map(queues.map(queue => [queue, new FairOrder()]))
  readonly #throttle: ThumbnailThrottle
  #endOfRest: NodeJS.Timeout | undefined
  #endOfGap: NodeJS.Timeout | undefined
  #lastStart = Number.NEGATIVE_INFINITY
  #nextStart: NodeJS.Timeout | undefined
  /** How long the latest start of a process took. */
  #startMs = START_MS
  #closed = false

  constructor(spawn: Spawn, settings: PoolSettings) {
    this.#settings = {
      tasksPerWorker: 100,
      idleMs: 0,
      startIntervalMs: 0,
      cores: availableParallelism(),
      memoryLimitBytes: 4 * 2 ** 30,
      log: { error: () => {}, warn: () => {} },
      ...settings,
    }
    this.#processes = new WarmProcesses(spawn, this.#settings, () => this.#admitAll())
    this.#throttle = new ThumbnailThrottle(this.#settings.cores)
  }

  /** Number of living worker processes, including those that are ending. */
  get size(): number {
    return this.#processes.all.length
  }

  /** Resident memory of all living workers with the programs they started; 0 where it cannot be read. */
  get memoryBytes(): number {
    return this.pids.reduce((sum, pid) => sum + (usageOf(pid)?.bytes ?? 0), 0)
  }

  /** Number of worker processes ever started. */
  get started(): number {
    return this.#processes.started
  }

  /** The confinement that holds for all living workers; undefined while none has started. */
  get confinement(): Confinement | undefined {
    return this.#processes.confinement
  }

  /** Process ids of all living workers. */
  get pids(): number[] {
    return this.#processes.all.flatMap(({ worker }) => worker.pid ?? [])
  }

  /**
   * Runs one task as soon as its queue has a place and its engine a process.
   * @throws JobFailure when the task fails, crashes, or exceeds a limit; the signal's reason when aborted
   */
  async run<K extends TaskKind>(
    kind: K,
    request: WorkerTasks[K]['request'],
    options: RunOptions,
  ): Promise<WorkerTasks[K]['answer']> {
    const { folders } = this.#settings
    const staged = folders ? await stageInputs(request, folders) : []
    try {
      options.signal?.throwIfAborted()
      options.waiting?.throwIfAborted()
      if (this.#closed) throw shuttingDown()
      const inPlace = staged.flatMap(({ isInPlace, path }) => (isInPlace ? path : []))
      const process = await this.#acquire(options, options.usesCards ? [...inPlace, CARDS] : inPlace)
      const started = performance.now()
      try {
        return process.folder
          ? await this.#runInFolder(process.worker, process.folder, kind, request, options, staged)
          : await process.worker.run(kind, request, options)
      } finally {
        if (options.queue === 'thumbnail') this.#rest(performance.now() - started)
        if (options.queue === 'convert') this.#conversionEnded()
        this.#processes.release(process)
        this.#admitAll()
      }
    } finally {
      await Promise.all(staged.map(unstageInput))
    }
  }

  /** Runs a task in a process, with the task's inputs and folders moved into the process's own folder meanwhile. */
  async #runInFolder<K extends TaskKind>(
    worker: Worker,
    own: OwnFolder,
    kind: K,
    request: WorkerTasks[K]['request'],
    options: RunOptions,
    staged: readonly StagedInput[],
  ): Promise<WorkerTasks[K]['answer']> {
    if (!request) return worker.run(kind, request, options)
    const folders = foldersIn(request)
    let places = new Map<string, string>()
    let answer: WorkerTasks[K]['answer']
    try {
      places = await own.take(staged, folders)
      answer = await worker.run(kind, withPaths(request, places), { ...options, watched: own.work })
    } finally {
      await own.release(folders)
    }
    const [folder = ''] = folders
    if (!answer || typeof answer !== 'object' || !('path' in answer)) return answer
    return { ...answer, path: outputOf(answer.path, places.get(folder) ?? '', folder) }
  }

  /** Kills every worker; running and waiting tasks fail. Resolves when all of them are gone. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#nextStart)
    clearTimeout(this.#endOfRest)
    clearTimeout(this.#endOfGap)
    for (const { reject } of this.#waiting.splice(0)) reject(shuttingDown())
    await this.#processes.close()
  }

  /** Waits for a process, which is busy from then on. */
  #acquire({ engine, queue, who = '', ...signals }: RunOptions, inputs: readonly string[]): Promise<Process> {
    const signal = signals.waiting ?? signals.signal
    const { promise, resolve, reject } = Promise.withResolvers<Process>()
    const since = performance.now()
    const waiting: Waiting = { inputs, engine, queue, who, since, overtaken: 0, resolve, reject }
    const abandon = () => {
      const index = this.#waiting.indexOf(waiting)
      if (index === -1) return
      this.#waiting.splice(index, 1)
      reject(signal?.reason)
      this.#admitAll()
    }
    signal?.addEventListener('abort', abandon, { once: true })
    this.#waiting.push(waiting)
    this.#admitAll()
    return promise.finally(() => signal?.removeEventListener('abort', abandon))
  }

  #admitAll(): void {
    for (const queue of queues) this.#admitLane(queue)
  }

  /** Number of conversions that run or wait. */
  get #converting(): number {
    const busy = this.#processes.all.filter(({ queue, isBusy }) => queue === 'convert' && isBusy)
    return busy.length + this.#waiting.filter(({ queue }) => queue === 'convert').length
  }

  /** Starts the rest after a thumbnail that took `tookMs`. */
  #rest(tookMs: number): void {
    const restMs = this.#throttle.rest(tookMs, this.#converting, performance.now())
    if (restMs === 0) return
    clearTimeout(this.#endOfRest)
    this.#endOfRest = setTimeout(() => this.#admitAll(), restMs).unref()
  }

  #conversionEnded(): void {
    this.#throttle.ended(this.#converting, performance.now())
    clearTimeout(this.#endOfGap)
    // A timer may fire a millisecond early.
    this.#endOfGap = setTimeout(() => this.#admitAll(), GAP_MS + 1).unref()
  }

  /** Gives processes to the tasks waiting in a queue: in order, with callers taking turns. */
  #admitLane(queue: Queue): void {
    const places =
      queue === 'thumbnail'
        ? this.#throttle.places(placesOf(this.#settings, queue), this.#converting, performance.now())
        : placesOf(this.#settings, queue)
    const fair = this.#orders.get(queue)!
    const passed: Waiting[] = []
    for (const task of fair.order(this.#waiting.filter(waiting => waiting.queue === queue))) {
      const processes = this.#processes.all
      const busy = processes.filter(process => process.queue === queue && process.isBusy).length
      if (busy >= places) return
      const admission = admit(processes, { ...task, isSingleUse: task.inputs.length > 0 }, this.#settings)
      if (admission.kind === 'start' && queue === 'convert' && this.#mustWaitToStart(task)) continue
      if (admission.kind !== 'use') for (const process of admission.end) void this.#processes.end(process)
      if (admission.kind === 'wait') {
        if (admission.reason === 'engine') continue
        if (admission.soon || task.overtaken >= OVERTAKES) return
        passed.push(task)
        continue
      }
      for (const other of passed) other.overtaken++
      this.#waiting.splice(this.#waiting.indexOf(task), 1)
      fair.serve(task.who)
      try {
        const process = admission.kind === 'use' ? admission.process : this.#start(task)
        this.#processes.take(process, queue)
        task.resolve(process)
      } catch (error) {
        this.#settings.log.error({ err: error }, 'a worker process could not be started')
        task.reject(notStarted(error))
      }
    }
  }

  /**
   * Whether a process was started a moment ago, or those of the same engine that keep the cores busy may be done sooner than another is
   * started; if so, the waiting tasks are tried again shortly.
   */
  #mustWaitToStart({ engine, queue, since, inputs }: Waiting): boolean {
    const { cores, startIntervalMs } = this.#settings
    const own = this.#processes.all.filter(
      process => process.queue === queue && process.engine.name === engine.name && process.isBusy,
    )
    const patience = own.length >= cores && inputs.length === 0 ? since + PATIENCE * this.#startMs : 0
    const waitMs = Math.max(this.#lastStart + startIntervalMs, patience) - performance.now()
    if (waitMs <= 0) return false
    // Another task may have to wait less.
    const lookMs = Math.min(waitMs, startIntervalMs || waitMs)
    this.#nextStart ??= setTimeout(() => {
      this.#nextStart = undefined
      this.#admitAll()
    }, lookMs)
    return true
  }

  #start(task: Waiting): Process {
    const started = performance.now()
    this.#lastStart = started
    const process = this.#processes.start(task)
    void process.worker.ready.then(() => {
      this.#startMs = performance.now() - started
    })
    return process
  }
}
