import { EventEmitter } from 'node:events'
import type { Phase } from '../catalogue/task.ts'

/** How far a running job is. */
export interface LiveProgress {
  /** 0 to 100. */
  percent: number
  phase: Phase
  /** Seconds until the end; null while too little is done to tell. */
  eta: number | null
  warnings: string[]
}

interface Events {
  /** A job's status or live progress changed. */
  job: [id: string, accountId: string]
  removed: [id: string, accountId: string]
  balance: [accountId: string]
}

/** Share of the work that must be done before an estimate of the rest means anything. */
const ETA_FROM = 0.05

/** What runs now and how far it is, and the place to hear of every change. Lives in memory only. */
export class JobEvents extends EventEmitter<Events> {
  readonly #running = new Map<string, { live: LiveProgress; since: number }>()

  constructor() {
    super()
    this.setMaxListeners(0)
  }

  live(id: string): LiveProgress | undefined {
    return this.#running.get(id)?.live
  }

  begin(id: string, accountId: string): void {
    const live: LiveProgress = { percent: 0, phase: 'preparing', eta: null, warnings: [] }
    this.#running.set(id, { live, since: Date.now() })
    this.emit('job', id, accountId)
  }

  progress(id: string, accountId: string, fraction: number, phase: Phase): void {
    const entry = this.#running.get(id)
    if (!entry) return
    const elapsed = (Date.now() - entry.since) / 1000
    // Progress never runs backwards, and 100 is kept for jobs that have succeeded.
    entry.live.percent = Math.max(entry.live.percent, Math.min(99, Math.floor(fraction * 100)))
    entry.live.phase = phase
    entry.live.eta = fraction >= ETA_FROM ? Math.round((elapsed * (1 - fraction)) / fraction) : null
    this.emit('job', id, accountId)
  }

  warn(id: string, accountId: string, message: string): void {
    const entry = this.#running.get(id)
    const text = message.slice(0, 256)
    // Every page of a document may have the same to say.
    if (!entry || entry.live.warnings.length >= 20 || entry.live.warnings.includes(text)) return
    entry.live.warnings.push(text)
    this.emit('job', id, accountId)
  }

  end(id: string): void {
    this.#running.delete(id)
  }
}
