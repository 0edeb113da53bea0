import { availableParallelism } from 'node:os'
import type { EngineDeclaration } from '../catalogue/engines.ts'
import type { Confinement } from '../confinement/confine.ts'
import { streamingProcess } from '../process-settings.ts'
import { admit, type Bounds, type Lane, type PoolProcess, placesOf } from './admission.ts'
import { GivingWay } from './giving-way.ts'
import { OwnFolder, outputOf, type StagedInput, stageInputs, unstageInput } from './own-folder.ts'
import { IN_BACKGROUND } from './priority.ts'
import type { TaskKind, WorkerTasks } from './protocol.ts'
import { foldersIn, withPaths } from './requests.ts'
import type { Spawn } from './spawn.ts'
import { Turns } from './turns.ts'
import { notStarted, shuttingDown, type TaskOptions, Worker, type WorkerLog } from './worker.ts'

export interface PoolSettings extends Bounds {
  entry: string
  env: Record<string, string>
  /**
   * Folder in which every process gets its own, which it is confined to where the system can do that; on the disk of the
   * tasks' folders. Without it tasks stay where they are and processes are not confined to files.
   */
  folders?: string
  /** Tasks after which a process is replaced, to shed whatever engines leak. */
  tasksPerWorker?: number
  /** Time an idle process is kept warm, instead of each engine's own; 0 keeps those. */
  idleMs?: number
  /** Memory one task may use, engines and programs included. */
  memoryLimitBytes?: number
  /**
   * Least time between two starts of converting processes; none by default. A start holds up the service for 10 to 40 ms,
   * and several in a row would keep a caller waiting for all of them.
   */
  startIntervalMs?: number
  /** Cores that conversions may keep busy before thumbnails pause; those of the machine by default. */
  cores?: number
  log?: WorkerLog
}

export interface RunOptions extends TaskOptions {
  /** Whose process does the task. */
  engine: EngineDeclaration
  lane: Lane
  /** Aborts the wait for a process, and not the task once it has begun. */
  waiting?: AbortSignal
  /** For whom, such as an account: those who wait in a lane take turns. */
  who?: string
}

/** A task that waits for a process. */
interface Waiting {
  /** Files that its process has to be granted at its start. */
  inputs: readonly string[]
  engine: EngineDeclaration
  lane: Lane
  who: string
  /** Tasks behind this one that went first while it waited for memory. */
  overtaken: number
  resolve(process: Process): void
  reject(reason: unknown): void
}

interface Process extends PoolProcess {
  readonly worker: Worker
  readonly folder: OwnFolder | undefined
  /** Started for one task only. */
  readonly isForOne: boolean
  isBusy: boolean
  idleSince: number
  retirement: NodeJS.Timeout | undefined
}

/** Tasks that may go before one that waits for memory, so that small ones pass and a large one still gets its turn. */
const OVERTAKES = 10

/**
 * Keeps worker processes warm by engine, gives each one task at a time, and lets as many work as their lanes, their engines
 * and the memory allow. A process that crashes, hangs, grows too large or is canceled is killed with everything it
 * started, and the next task gets a fresh one.
 */
export class WorkerPool {
  readonly #spawn: Spawn
  readonly #settings: Required<Omit<PoolSettings, 'folders'>> & Pick<PoolSettings, 'folders'>
  readonly #processes = new Set<Process>()
  readonly #waiting: Waiting[] = []
  readonly #turns: Record<Lane, Turns> = {
    convert: new Turns(),
    measure: new Turns(),
    report: new Turns(),
    preview: new Turns(),
    thumbnail: new Turns(),
  }
  readonly #givingWay: GivingWay
  #endOfRest: NodeJS.Timeout | undefined
  #lastStart = Number.NEGATIVE_INFINITY
  #nextStart: NodeJS.Timeout | undefined
  #closed = false
  #hasWarned = false
  readonly #removals = new Set<Promise<void>>()

  constructor(spawn: Spawn, settings: PoolSettings) {
    this.#spawn = spawn
    this.#settings = {
      tasksPerWorker: 100,
      idleMs: 0,
      startIntervalMs: 0,
      cores: availableParallelism(),
      memoryLimitBytes: 4 * 2 ** 30,
      log: { error: () => {}, warn: () => {} },
      ...settings,
    }
    this.#givingWay = new GivingWay(this.#settings.cores)
  }

  /** Worker processes that live, those that are about to end included. */
  get size(): number {
    return this.#processes.size
  }

  /** What the system holds all living workers to; undefined while none has started. */
  get confinement(): Confinement | undefined {
    const known = [...this.#processes].flatMap(({ worker }) => worker.confinement ?? [])
    if (known.length === 0) return undefined
    const all = (what: keyof Confinement) => known.every(confinement => confinement[what])
    return { files: all('files'), systemCalls: all('systemCalls'), network: all('network') }
  }

  /** Process ids of all living workers. */
  get pids(): number[] {
    return [...this.#processes].flatMap(({ worker }) => worker.pid ?? [])
  }

  /**
   * Runs one task, as soon as its lane has a place and its engine a process.
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
      const inPlace = staged.filter(({ isInPlace }) => isInPlace)
      const process = await this.#acquire(
        options,
        inPlace.map(({ path }) => path),
      )
      const begun = performance.now()
      try {
        return process.folder
          ? await this.#runInFolder(process.worker, process.folder, kind, request, options, staged)
          : await process.worker.run(kind, request, options)
      } finally {
        if (options.lane === 'thumbnail') this.#rest(performance.now() - begun)
        this.#release(process)
      }
    } finally {
      await Promise.all(staged.map(unstageInput))
    }
  }

  /** Has a process do a task whose inputs and folders are moved into its own meanwhile. */
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
    return { ...answer, path: await outputOf(answer.path, places.get(folder) ?? '', folder) }
  }

  /** Kills every worker; running and waiting tasks fail. Resolves when all of them are gone. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#nextStart)
    clearTimeout(this.#endOfRest)
    for (const { reject } of this.#waiting.splice(0)) reject(shuttingDown())
    await Promise.all([...this.#processes].map(process => this.#end(process)))
    await Promise.all(this.#removals)
  }

  /** Waits for a process, which is then busy. */
  #acquire({ engine, lane, who = '', ...signals }: RunOptions, inputs: readonly string[]): Promise<Process> {
    const signal = signals.waiting ?? signals.signal
    const { promise, resolve, reject } = Promise.withResolvers<Process>()
    const waiting: Waiting = { inputs, engine, lane, who, overtaken: 0, resolve, reject }
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
    this.#admitLane('report')
    this.#admitLane('measure')
    this.#admitLane('convert')
    this.#admitLane('preview')
    this.#admitLane('thumbnail')
  }

  /** Conversions that are at work or wait for a place. */
  get #converting(): number {
    const busy = [...this.#processes].filter(({ lane, isBusy }) => lane === 'convert' && isBusy)
    return busy.length + this.#waiting.filter(({ lane }) => lane === 'convert').length
  }

  /** After a thumbnail that took so long. */
  #rest(tookMs: number): void {
    const restMs = this.#givingWay.rest(tookMs, this.#converting, performance.now())
    if (restMs === 0) return
    clearTimeout(this.#endOfRest)
    this.#endOfRest = setTimeout(() => this.#admitAll(), restMs).unref()
  }

  /** Gives processes to the tasks that wait in a lane: in order, those for different callers in turn. */
  #admitLane(lane: Lane): void {
    const places =
      lane === 'thumbnail'
        ? this.#givingWay.places(placesOf(this.#settings, lane), this.#converting, performance.now())
        : placesOf(this.#settings, lane)
    const turns = this.#turns[lane]
    const passed: Waiting[] = []
    for (const task of turns.order(this.#waiting.filter(waiting => waiting.lane === lane))) {
      const processes = [...this.#processes]
      const busy = processes.filter(process => process.lane === lane && process.isBusy).length
      if (busy >= places) return
      const admission = admit(processes, { ...task, isForOne: task.inputs.length > 0 }, this.#settings)
      if (admission.kind === 'start' && lane === 'convert' && this.#mustWaitToStart()) return
      if (admission.kind !== 'use') for (const process of admission.end) void this.#end(process)
      if (admission.kind === 'wait') {
        if (admission.reason === 'engine') continue
        if (admission.soon || task.overtaken >= OVERTAKES) return
        passed.push(task)
        continue
      }
      for (const other of passed) other.overtaken++
      this.#waiting.splice(this.#waiting.indexOf(task), 1)
      turns.serve(task.who)
      try {
        const process = admission.kind === 'use' ? admission.process : this.#start(task)
        clearTimeout(process.retirement)
        process.isBusy = true
        task.resolve(process)
      } catch (error) {
        this.#settings.log.error({ err: error }, 'a worker process could not be started')
        task.reject(notStarted(error))
      }
    }
  }

  /** Whether a process was started a moment ago; the tasks that wait are then looked at again a moment later. */
  #mustWaitToStart(): boolean {
    const waitMs = this.#lastStart + this.#settings.startIntervalMs - performance.now()
    if (waitMs <= 0) return false
    this.#nextStart ??= setTimeout(() => {
      this.#nextStart = undefined
      this.#admitAll()
    }, waitMs)
    return true
  }

  #start({ engine, lane, inputs }: Waiting): Process {
    this.#lastStart = performance.now()
    const { entry, env, folders, log, memoryLimitBytes } = this.#settings
    // Somebody waits for what is measured or looked at, which takes but a moment.
    const args = lane === 'convert' ? [IN_BACKGROUND] : []
    const folder = folders === undefined ? undefined : new OwnFolder(folders, inputs)
    const worker = new Worker(
      this.#spawn(
        entry,
        { ...env, ...(engine.isStreaming ? streamingProcess.env : {}), ...folder?.env },
        args,
      ),
      { memoryBytes: memoryLimitBytes },
      log,
    )
    const process: Process = {
      lane,
      engine,
      worker,
      folder,
      isForOne: inputs.length > 0,
      isBusy: false,
      idleSince: 0,
      get isEnding() {
        return worker.isEnding
      },
      retirement: undefined,
    }
    this.#processes.add(process)
    void worker.gone.then(() => {
      clearTimeout(process.retirement)
      this.#processes.delete(process)
      if (!process.isBusy) this.#remove(process)
      this.#admitAll()
    })
    void worker.ready.then(confinement => this.#warnOnce(confinement))
    return process
  }

  #release(process: Process): void {
    const { idleMs, tasksPerWorker } = this.#settings
    process.isBusy = false
    process.idleSince = performance.now()
    if (!this.#processes.has(process)) this.#remove(process)
    else if (process.isForOne || process.worker.tasks >= tasksPerWorker) void this.#end(process)
    else if (!process.isEnding) {
      const retire = () => void this.#end(process)
      process.retirement = setTimeout(retire, idleMs || process.engine.idleMs).unref()
    }
    this.#admitAll()
  }

  /** Deletes the folder of a process that is gone and whose task has left. */
  #remove({ folder }: Process): void {
    const removal = folder?.remove().catch(error => this.#settings.log.warn({ err: error }, 'a folder stays'))
    if (!removal) return
    this.#removals.add(removal)
    void removal.then(() => this.#removals.delete(removal))
  }

  /** Says in the log, once, what workers can do here that they could not elsewhere. */
  #warnOnce(confinement: Confinement | undefined): void {
    if (this.#hasWarned || !confinement || (confinement.files && confinement.network)) return
    this.#hasWarned = true
    this.#settings.log.warn(
      { confinement },
      'this system does not confine workers fully; see docs/security.md',
    )
  }

  #end(process: Process): Promise<void> {
    clearTimeout(process.retirement)
    return process.worker.kill()
  }
}
