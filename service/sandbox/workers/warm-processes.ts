import type { EngineDeclaration } from '../../convert/catalogue/engines.ts'
import type { Confinement } from '../confinement/confine.ts'
import { MEMORY_LIMIT } from '../confinement/limits.ts'
import { engineEnvironment } from '../process-settings.ts'
import type { PoolProcess, Queue } from './admission.ts'
import { OwnFolder } from './own-folder.ts'
import { IN_BACKGROUND, lowerPriorityOf } from './priority.ts'
import { FINDINGS } from './protocol.ts'
import type { Spawn } from './spawn.ts'
import { Worker, type WorkerLog } from './worker.ts'

export interface ProcessSettings {
  entry: string
  env: Record<string, string>
  /**
   * Folder below which every process gets its own, to which it is confined where the system supports that; must be on
   * the same disk as the tasks' folders. Without it, tasks stay where they are and processes are not confined to files.
   */
  folders?: string
  /** Number of tasks after which a process is replaced, to free whatever engines leak. */
  tasksPerWorker: number
  /** How long an idle process is kept warm, instead of each engine's own time; 0 keeps that. */
  idleMs: number
  /** How much memory one task may use, including engines and programs. */
  memoryLimitBytes: number
  log: WorkerLog
}

/** What a process is started for. */
export interface Purpose {
  engine: EngineDeclaration
  queue: Queue
  /** Files that it must be granted at its start; it then runs one task only. */
  inputs: readonly string[]
}

export interface Process extends PoolProcess {
  queue: Queue
  readonly worker: Worker
  readonly folder: OwnFolder | undefined
  /** Started for one task only. */
  readonly isSingleUse: boolean
  isBusy: boolean
  idleSince: number
  retirement: NodeJS.Timeout | undefined
}

/** Worker processes: started, kept warm between tasks, and replaced after a number of tasks. */
export class WarmProcesses {
  readonly #spawn: Spawn
  readonly #settings: ProcessSettings
  readonly #onGone: () => void
  readonly #living = new Set<Process>()
  readonly #removals = new Set<Promise<void>>()
  #hasWarned = false
  #started = 0
  /** What workers have found out, for the environment of later ones. */
  #found: Record<string, string> = {}

  /** @param onGone called when a process is gone and its memory and place are free */
  constructor(spawn: Spawn, settings: ProcessSettings, onGone: () => void) {
    this.#spawn = spawn
    this.#settings = settings
    this.#onGone = onGone
  }

  /** How many were ever started. */
  get started(): number {
    return this.#started
  }

  /** The living processes, including those that are ending. */
  get all(): Process[] {
    return [...this.#living]
  }

  /** The confinement that holds for all of them; undefined while none has started. */
  get confinement(): Confinement | undefined {
    const known = this.all.flatMap(({ worker }) => worker.confinement ?? [])
    if (known.length === 0) return undefined
    const all = (what: 'files' | 'systemCalls' | 'network') => known.every(confinement => confinement[what])
    return { files: all('files'), systemCalls: all('systemCalls'), network: all('network') }
  }

  /** @throws when the system refuses at once */
  start({ engine, queue, inputs }: Purpose): Process {
    const { entry, env, folders, log, memoryLimitBytes } = this.#settings
    // Somebody waits for measurements and previews, which take only a moment.
    const args = queue === 'convert' ? [IN_BACKGROUND] : []
    const folder = folders === undefined ? undefined : new OwnFolder(folders, inputs)
    const worker = new Worker(
      this.#spawn(
        entry,
        {
          ...env,
          [MEMORY_LIMIT]: String(memoryLimitBytes),
          ...this.#found,
          ...engineEnvironment(engine),
          ...folder?.env,
        },
        args,
      ),
      memoryLimitBytes,
      log,
      ffmpeg => {
        this.#found = { [FINDINGS]: ffmpeg }
      },
    )
    const process: Process = {
      queue,
      engine,
      worker,
      folder,
      isSingleUse: inputs.length > 0,
      isBusy: false,
      idleSince: 0,
      get isEnding() {
        return worker.isEnding
      },
      retirement: undefined,
    }
    this.#living.add(process)
    this.#started++
    void worker.gone.then(() => {
      clearTimeout(process.retirement)
      this.#living.delete(process)
      if (!process.isBusy) this.#remove(process)
      this.#onGone()
    })
    void worker.ready.then(confinement => this.#warnOnce(confinement))
    return process
  }

  /** Assigns a process to a task of a queue, which may be another than it was started for. */
  take(process: Process, queue: Queue): void {
    clearTimeout(process.retirement)
    const { pid } = process.worker
    if (queue === 'convert' && process.queue !== queue && pid !== undefined) lowerPriorityOf(pid)
    process.queue = queue
    process.isBusy = true
  }

  /** Takes a process back: it waits for another task, or is ended after its number of tasks. */
  release(process: Process): void {
    const { idleMs, tasksPerWorker } = this.#settings
    process.isBusy = false
    process.idleSince = performance.now()
    if (!this.#living.has(process)) this.#remove(process)
    else if (process.isSingleUse || process.worker.tasks >= tasksPerWorker) void this.end(process)
    else if (!process.isEnding) {
      const retire = () => void this.end(process)
      process.retirement = setTimeout(retire, idleMs || process.engine.idleMs).unref()
    }
  }

  /** Ends a process with everything it started; resolves when all are gone. A running task fails. */
  end(process: Process): Promise<void> {
    clearTimeout(process.retirement)
    return process.worker.kill()
  }

  /** Ends all processes; resolves when their folders are gone, too. */
  async close(): Promise<void> {
    await Promise.all(this.all.map(process => this.end(process)))
    await Promise.all(this.#removals)
  }

  /** Deletes the folder of a process that is gone and whose task has been moved out. */
  #remove({ folder }: Process): void {
    const removal = folder
      ?.remove()
      .catch(error => this.#settings.log.warn({ err: error }, 'could not delete a folder'))
    if (!removal) return
    this.#removals.add(removal)
    void removal.then(() => this.#removals.delete(removal))
  }

  /** Logs once what workers here cannot be kept from doing. */
  #warnOnce(confinement: Confinement | undefined): void {
    if (this.#hasWarned || !confinement || (confinement.files && confinement.network)) return
    this.#hasWarned = true
    this.#settings.log.warn(
      { confinement },
      'this system does not confine workers fully; see docs/security.md',
    )
  }
}
