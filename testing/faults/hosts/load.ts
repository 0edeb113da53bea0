import { setTimeout as delay } from 'node:timers/promises'
import type { JobStatus, JobStore } from '../../../service/store/interfaces/jobs.ts'
import { isTerminal } from '../../../service/work/jobs/job.ts'

/** Jobs that a caller has open at once; the queue holds 18 per account. */
const LANES = 17
const LOOK_MS = 100
const RETRY_MS = 250
/** Shortest and longest sleep of a job. */
const SLEEP_MS = [100, 500] as const
const FAILING_SHARE = 0.05
const CANCELED_SHARE = 0.07
/** Longer than any caller waits before it cancels the job. */
const CANCELED_SLEEP_MS = 5_000

export interface LoadSettings {
  /** Address of the service. */
  url: string
  /** One key per account. */
  keys: readonly string[]
  /** Reads the states of jobs without a request to a host. */
  jobs: JobStore
  /** Total number of jobs of all accounts. */
  count: number
  random: () => number
}

/**
 * Callers that submit jobs, cancel some, and retry when they are refused, until enough jobs are accepted and `stop` is called.
 */
export class Load {
  readonly #settings: LoadSettings
  readonly #open = new Map<string, { accepted: number; resolve(status: JobStatus): void }>()
  #begun = 0
  #isStopping = false
  /** The job that took longest from its acceptance to its end, both in milliseconds since 1970. */
  slowest = { id: '', accepted: 0, ended: 0 }
  readonly confirmed = {
    accepted: new Map<string, string>(),
    unwanted: new Set<string>(),
    canceled: new Set<string>(),
  }

  constructor(settings: LoadSettings) {
    this.#settings = settings
  }

  /** Share of the jobs that are accepted; 1 or more when all are. */
  get done(): number {
    return this.confirmed.accepted.size / this.#settings.count
  }

  /** From now on, callers only submit until `count` is reached. */
  stop(): void {
    this.#isStopping = true
  }

  /** Submits jobs and resolves once every accepted job has ended. */
  async run(): Promise<void> {
    const { keys } = this.#settings
    const looking = new AbortController()
    const looks = this.#look(looking.signal)
    const lanes = keys.flatMap(key => Array.from({ length: LANES }, () => this.#lane(key)))
    await Promise.all(lanes)
    looking.abort()
    await looks
  }

  /** Resolves once nothing is queued or running, including jobs that no caller knows of. */
  async settled(): Promise<void> {
    const { jobs } = this.#settings
    const known = await jobs.getMany([...this.confirmed.accepted.keys()])
    const accounts = new Set(known.map(({ accountId }) => accountId))
    for (const id of accounts) {
      for (;;) {
        const { queued, running } = await jobs.counts(id)
        if (queued + running === 0) break
        await delay(LOOK_MS)
      }
    }
  }

  async #lane(key: string): Promise<void> {
    const { count } = this.#settings
    while (this.#begun < count || !this.#isStopping) {
      this.#begun++
      const isCanceled = this.#settings.random() < CANCELED_SHARE
      const id = await this.#submit(key, isCanceled)
      const { promise: ended, resolve } = Promise.withResolvers<JobStatus>()
      this.#open.set(id, { accepted: Date.now(), resolve })
      if (isCanceled) {
        await delay(this.#settings.random() * 1000)
        await this.#cancel(key, id)
      }
      await ended
    }
  }

  async #submit(key: string, isLong: boolean): Promise<string> {
    const { random } = this.#settings
    const [shortest, longest] = SLEEP_MS
    const ms = isLong ? CANCELED_SLEEP_MS : Math.round(shortest + random() * (longest - shortest))
    const input = `${random() < FAILING_SHARE ? 'fail' : 'fine'} ${ms} ${random()}`
    for (;;) {
      const form = new FormData()
      form.set('targetFormat', 'webp')
      form.set('file', new Blob([input]), 'a.jpg')
      const answer = await this.#ask('/convert', key, form)
      if (answer?.id) {
        this.confirmed.accepted.set(answer.id, input)
        return answer.id
      }
      await delay(RETRY_MS)
    }
  }

  async #cancel(key: string, id: string): Promise<void> {
    this.confirmed.unwanted.add(id)
    for (;;) {
      const answer = await this.#ask(`/convert/job/${id}/cancel`, key)
      if (answer?.status === 202) this.confirmed.canceled.add(id)
      // A permanent refusal: the job has ended.
      if (answer && answer.status < 500) return
      await delay(RETRY_MS)
    }
  }

  /** The answer to a request; undefined if there was none. */
  async #ask(
    path: string,
    key: string,
    body?: FormData,
  ): Promise<{ status: number; id?: string } | undefined> {
    try {
      const answer = await fetch(this.#settings.url + path, {
        method: 'POST',
        headers: { 'x-service-api-key': key },
        ...(body ? { body } : {}),
      })
      const { id } = (await answer.json()) as { id?: string }
      return { status: answer.status, ...(answer.ok && id ? { id } : {}) }
    } catch {
      return undefined
    }
  }

  /** Notifies lanes when their jobs end. */
  async #look(signal: AbortSignal): Promise<void> {
    const { jobs } = this.#settings
    while (!signal.aborted) {
      // The database may be restarting.
      for (const { id, status } of await jobs.getMany([...this.#open.keys()]).catch(() => [])) {
        if (!isTerminal(status)) continue
        const ended = Date.now()
        const { accepted = ended, resolve } = this.#open.get(id) ?? {}
        const { slowest } = this
        if (ended - accepted > slowest.ended - slowest.accepted) this.slowest = { id, accepted, ended }
        resolve?.(status)
        this.#open.delete(id)
      }
      await delay(LOOK_MS)
    }
  }
}
