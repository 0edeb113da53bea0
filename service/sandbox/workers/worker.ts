import type { Phase } from '../../convert/catalogue/task.ts'
import { JobFailure } from '../../shared/errors.ts'
import type { Message } from '../../shared/messages/message.ts'
import { message } from '../../shared/messages/message.ts'
import type { Confinement } from '../confinement/confine.ts'
import { MAX_PROCESSES } from '../confinement/limits.ts'
import { WORKER_HEAP_MEGABYTES } from '../process-settings.ts'
import { folderBytes } from './own-folder.ts'
import { cpuMsOf, usageOf } from './process-tree.ts'
import type { FromWorker, TaskKind, ToWorker, WorkerTasks } from './protocol.ts'
import type { Exit, WorkerProcess } from './spawn.ts'
import { limitTime } from './time-limit.ts'

/** Where a pool logs what the person waiting for the file does not see; a pino logger fits. */
export interface WorkerLog {
  error(fields: object, text: string): void
  warn(fields: object, text: string): void
}

export interface TaskOptions {
  /**
   * Processor time that the task may use, including the start of the process. A task that uses none and makes no progress for as
   * long is regarded as hung; one that gets too little of the processor ends after a multiple of it.
   */
  timeoutMs: number
  /** Time on the clock that it may take instead. */
  wallMs?: number | undefined
  signal?: AbortSignal
  /** The job it belongs to, for the log. */
  jobId?: string
  /** Folder whose size is watched while the task runs, unless `watched` is set. */
  folder?: string
  watched?: string
  /** How large `folder` may grow. */
  maxOutputBytes?: number
  onProgress?: (fraction: number, phase: Phase) => void
  onWarning?: (warning: Message) => void
}

/** The task a worker is running. */
interface Current {
  id: number
  /** Context for the log. */
  subject: object
  onMessage(message: FromWorker): void
  /** Ends the process, then fails the task with this reason. */
  stop(reason: unknown): void
}

/** Time between two checks of a running task's memory and output. */
const WATCH_INTERVAL_MS = 500

let lastId = 0

/** A worker process as the service sees it, running at most one task at a time. */
export class Worker {
  /** Number of tasks it has run. */
  tasks = 0
  /** Its confinement; undefined until it has started. */
  confinement: Confinement | undefined
  /** Resolves when the process and everything it started are gone. */
  readonly gone: Promise<void>
  readonly #process: WorkerProcess
  readonly #memoryBytes: number
  readonly #log: WorkerLog
  readonly #ready = Promise.withResolvers<Confinement | undefined>()
  readonly #gone = Promise.withResolvers<void>()
  #current: Current | undefined
  #killed: Promise<void> | undefined
  /** Why it accepts no further task, once its process has exited. */
  #ending = shuttingDown()

  /**
   * @param memoryBytes how much memory one task may use, including engines and programs
   * @param onFound gets what the process has found out about the ffmpeg program
   */
  constructor(
    process: WorkerProcess,
    memoryBytes: number,
    log: WorkerLog,
    onFound: (ffmpeg: string) => void = () => {},
  ) {
    this.#process = process
    this.#memoryBytes = memoryBytes
    this.#log = log
    this.gone = this.#gone.promise
    process.onMessage(received => {
      const message = received as FromWorker
      if (message.type === 'ready') {
        this.confinement = message.confinement
        this.#ready.resolve(message.confinement)
      } else if (message.type === 'found') {
        onFound(message.ffmpeg)
      } else if (message.id === this.#current?.id) this.#current.onMessage(message)
    })
    process.onExit(exit => void this.#onExit(exit))
  }

  /** Resolves with its confinement when it can take tasks. */
  get ready(): Promise<Confinement | undefined> {
    return this.#ready.promise
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** Whether it accepts no further task. */
  get isEnding(): boolean {
    return this.#killed !== undefined
  }

  /** Ends the process and everything it started; resolves when they are gone. A running task fails. */
  kill(): Promise<void> {
    this.#killed ??= this.#process.kill().finally(this.#gone.resolve)
    return this.#killed
  }

  /**
   * Runs one task in the process. When the process is stopped because of it, the promise settles only after everything
   * that could still write into the task's folder is gone.
   * @throws JobFailure when the task fails, crashes, or exceeds a limit; the signal's reason when aborted
   */
  async run<K extends TaskKind>(
    kind: K,
    request: WorkerTasks[K]['request'],
    options: TaskOptions,
  ): Promise<WorkerTasks[K]['answer']> {
    // The process may have died since it was chosen.
    if (this.isEnding) {
      await this.gone
      throw this.#ending
    }
    const { promise, resolve, reject } = Promise.withResolvers<WorkerTasks[K]['answer']>()
    const { signal } = options
    const id = ++lastId
    const end = () => {
      if (this.#current?.id !== id) return false
      this.#current = undefined
      this.tasks++
      deadline.stop()
      clearInterval(watch)
      signal?.removeEventListener('abort', onAbort)
      return true
    }
    /** @param note called once all that the process printed has been read */
    const stop = (reason: unknown, note?: () => void) => {
      if (end())
        void this.kill().then(() => {
          note?.()
          reject(reason)
        })
    }
    const onAbort = () => stop(signal?.reason)
    const subject = {
      kind,
      ...(request && 'job' in request ? { job: request.job } : {}),
      ...(options.jobId ? { jobId: options.jobId } : {}),
    }
    let fraction = 0
    const onMessage = (message: FromWorker) => {
      if (message.type === 'progress') {
        if (message.fraction !== fraction) deadline.progress()
        fraction = message.fraction
        options.onProgress?.(message.fraction, message.phase)
      } else if (message.type === 'warning') options.onWarning?.(message.warning)
      else if (message.type === 'done') {
        if (end()) resolve(message.answer as WorkerTasks[K]['answer'])
      } else if (message.type === 'failed') {
        const failure = new JobFailure(message.code, message.reason)
        const { log: error } = message
        if (message.isUnexpected) {
          // After such an error the process may be in any state, so it gets no further task.
          stop(failure, () => {
            const printed = this.#process.printed()
            const fields = { ...subject, error, printed }
            this.#log.error(fields, 'a converter threw an error that no engine expected')
          })
        } else {
          if (error) this.#log.warn({ ...subject, error }, 'a conversion failed')
          if (end()) reject(failure)
        }
      }
    }
    this.#current = { id, subject, onMessage, stop }
    // Deadline and abort count from here, so that neither is missed during a cold start.
    const { pid } = this.#process
    const deadline = limitTime({
      ms: options.timeoutMs,
      wallMs: options.wallMs,
      used: () => (pid === undefined ? undefined : usageOf(pid)?.cpuMs),
      // An idle process has no programs, and looking for them takes a file for each of its threads.
      before: pid === undefined ? 0 : cpuMsOf(pid),
      onEnd: () => stop(new JobFailure('jobs.timeout')),
    })
    let isLooking = false
    const checkLimits = async () => {
      // Measuring a folder with many files may take longer than the interval between checks.
      if (isLooking) return
      isLooking = true
      const failure = await this.#exceeded(options)
      isLooking = false
      if (failure) stop(failure)
    }
    const watch = setInterval(() => void checkLimits(), WATCH_INTERVAL_MS)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    else {
      void this.#ready.promise.then(() => {
        if (this.#current?.id === id) this.#process.post({ id, kind, request } satisfies ToWorker<K>)
      })
    }
    return promise
  }

  /** The limit that the running task has exceeded, if any. */
  async #exceeded({
    folder,
    watched = folder,
    maxOutputBytes,
  }: TaskOptions): Promise<JobFailure | undefined> {
    const { pid } = this.#process
    const usage = pid === undefined ? undefined : usageOf(pid)
    if (usage && usage.bytes > this.#memoryBytes) return tooMuchMemory(this.#memoryBytes / 2 ** 30)
    if (usage && usage.processes > MAX_PROCESSES)
      return new JobFailure('jobs.engine_crashed', message('workers.too_many_processes'))
    if (watched && maxOutputBytes && (await folderBytes(watched)) > maxOutputBytes)
      return new JobFailure('jobs.output_too_large')
    return undefined
  }

  async #onExit(exit: Exit): Promise<void> {
    const wasKilled = this.isEnding
    const current = this.#current
    const { error, ...status } = exit
    if (!wasKilled) {
      if (error) this.#ending = notStarted(error)
      else
        this.#ending =
          status.signal === 'SIGKILL' ? new KilledFromOutside() : new JobFailure('jobs.engine_crashed')
    }
    // A process that died by itself may have left programs running.
    await this.kill()
    if (!wasKilled) {
      const fields = { ...current?.subject, ...status }
      if (error) this.#log.error({ ...fields, err: error }, 'a worker process could not be started')
      else this.#log.error({ ...fields, printed: this.#process.printed() }, 'a worker process died')
    }
    const isHeapExhausted = !wasKilled && HEAP_FULL.test(this.#process.printed())
    current?.stop(isHeapExhausted ? tooMuchMemory(WORKER_HEAP_MEGABYTES / 2 ** 10) : this.#ending)
  }
}

/** What V8 says before it ends a process whose heap is full. */
const HEAP_FULL = /JavaScript heap out of memory/

/** The failure of a task that would need more memory than it may use. */
const tooMuchMemory = (gibibytes: number) =>
  new JobFailure('jobs.too_large', message('workers.too_much_memory', { gibibytes }))

/** The failure of a task whose process somebody else killed, as the system does when memory runs out. */
export class KilledFromOutside extends JobFailure {
  constructor() {
    super('jobs.engine_crashed')
  }
}

/** The failure of a task whose process ends because the service does. */
export const shuttingDown = (): JobFailure =>
  new JobFailure('jobs.interrupted', message('workers.shutting_down'))

/** The failure of a task whose process could not be started. */
export const notStarted = (cause: unknown): JobFailure =>
  new JobFailure('jobs.engine_crashed', message('workers.not_started'), { cause })
