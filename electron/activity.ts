import type { Batch } from '../service/web/app/types.ts'
import type { ServiceClient } from './client.ts'

/** How many finished batches are remembered for the tray. */
const RECENT = 8
/** How long nothing may run before the end is announced: the batches of one press begin one after another. */
const QUIET_MS = 1_000
/** Delay before an interrupted event stream is reopened. */
const RECONNECT_MS = 1_000

/** Progress of the open batches. */
export interface Progress {
  /** Number of files in open batches, and of those that have ended. */
  total: number
  done: number
}

export const isOpen = ({ state }: Batch): boolean => state === 'active' || state === 'paused'

const ended = ({ counts }: Batch): number => counts.succeeded + counts.failed + counts.canceled

export interface ActivityListeners {
  /** Something has changed. */
  onChange(): void
  /** Nothing runs any more; these batches have ended by themselves since the last time. */
  onFinished(batches: Batch[]): void
  /** A batch was paused automatically and waits for somebody. */
  onPaused(batch: Batch): void
}

/** The service's activity according to its events, also while no window is open. */
export class Activity {
  readonly #batches = new Map<string, Batch>()
  readonly #listeners: ActivityListeners
  /** Ids of batches whose end is still to be announced. */
  readonly #unannounced = new Set<string>()
  #isExpecting = false
  #quiet: NodeJS.Timeout | undefined

  constructor(listeners: ActivityListeners) {
    this.#listeners = listeners
  }

  /** Follows the service until the signal aborts. An interrupted stream is reopened, and everything is read again. */
  async follow(client: Pick<ServiceClient, 'batches' | 'events'>, signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => clearTimeout(this.#quiet))
    while (!signal.aborted) {
      try {
        const events = await client.events(signal)
        // Only data read from here on misses no change.
        for (const batch of await client.batches()) this.#set(batch)
        this.#listeners.onChange()
        for await (const { event, data } of events) this.#onEvent(event, JSON.parse(data))
      } catch {
        // The service is stopping, or overloaded.
      }
      await new Promise(resolve => setTimeout(resolve, signal.aborted ? 0 : RECONNECT_MS).unref())
    }
  }

  /** Whether the page is going to convert further files, which it is still reading. */
  expect(isExpecting: boolean): void {
    this.#isExpecting = isExpecting
    this.#announceWhenQuiet()
  }

  #onEvent(name: string, data: unknown): void {
    if (name === 'batch') {
      const batch = data as Batch
      const before = this.#batches.get(batch.id)
      this.#set(batch)
      if (batch.state === 'done' && before && isOpen(before)) this.#unannounced.add(batch.id)
      // Files were added to it after its end.
      if (isOpen(batch)) this.#unannounced.delete(batch.id)
      this.#announceWhenQuiet()
      if (batch.problem && batch.problem.code !== before?.problem?.code) this.#listeners.onPaused(batch)
    } else if (name === 'batch-removed') this.#batches.delete((data as { id: string }).id)
    else return
    this.#listeners.onChange()
  }

  /** Announces the end once, a moment after the last batch ended; one that is paused waits for somebody, and delays no other. */
  #announceWhenQuiet(): void {
    clearTimeout(this.#quiet)
    const isBusy = [...this.#batches.values()].some(({ state }) => state === 'active')
    if (this.#unannounced.size === 0 || this.#isExpecting || isBusy) return
    this.#quiet = setTimeout(() => {
      const ended = [...this.#unannounced].flatMap(id => this.#batches.get(id) ?? [])
      this.#unannounced.clear()
      if (ended.length > 0) this.#listeners.onFinished(ended)
    }, QUIET_MS).unref()
  }

  #set(batch: Batch): void {
    this.#batches.set(batch.id, batch)
    const old = this.recent()
      .filter(({ id }) => !this.#unannounced.has(id))
      .slice(RECENT)
    for (const { id } of old) this.#batches.delete(id)
  }

  /** Progress of the open batches; null if there is none. Batches paused by a person or a problem are open too. */
  progress(): Progress | null {
    const open = [...this.#batches.values()].filter(isOpen)
    if (open.length === 0) return null
    return {
      total: open.reduce((sum, { counts }) => sum + counts.total, 0),
      done: open.reduce((sum, batch) => sum + ended(batch), 0),
    }
  }

  /** Batches that have ended, the latest first. */
  recent(): Batch[] {
    return [...this.#batches.values()]
      .filter(batch => !isOpen(batch))
      .toSorted((a, b) => (b.finishedAt ?? '').localeCompare(a.finishedAt ?? ''))
  }
}
