import type { AppJob, Batch, BatchItem, Pack, SpeechModel } from '../../service/web/app/types.ts'
import { createBatcher } from './batcher.ts'
import { addressed, ownWindow } from './session.ts'

/** The changes between two frames: only the latest state of each thing, `null` if it was removed. */
export interface LiveChanges {
  jobs: Map<string, AppJob | null>
  batches: Map<string, Batch | null>
  /** Items that changed without a change of their job. */
  items: Map<string, BatchItem>
  models: Map<string, SpeechModel>
  languages: Map<string, Pack>
  balance: number | null
  /** Whether another window has changed what waits to be converted. */
  waiting: boolean
}

type LiveEvent = (changes: LiveChanges) => void

export function foldEvents(events: readonly LiveEvent[]): LiveChanges {
  const changes: LiveChanges = {
    ...{ jobs: new Map(), batches: new Map(), items: new Map(), models: new Map(), languages: new Map() },
    ...{ balance: null, waiting: false },
  }
  for (const event of events) event(changes)
  return changes
}

interface LiveHandlers {
  changes(changes: LiveChanges): void
  /** The stream is open. `again` is true after an interruption, when events may have been missed. */
  open(again: boolean): void
  /** The stream was interrupted and is being reopened. */
  lost(): void
}

interface LiveDeps {
  connect: (path: string) => EventSource
  schedule: (run: () => void) => void
  later: (run: () => void, ms: number) => unknown
}

const longestWaitMs = 30_000

/**
 * Follows the service's live events until the returned function is called. The browser reconnects an interrupted
 * stream; a refused one (the service is restarting) is reopened here, after 1 s and then at increasing intervals.
 */
export function followEvents(handlers: LiveHandlers, deps: Partial<LiveDeps> = {}): () => void {
  const connect = deps.connect ?? (path => new EventSource(addressed(path)))
  const later = deps.later ?? ((run, ms) => setTimeout(run, ms))
  const batcher = createBatcher<LiveEvent>(events => handlers.changes(foldEvents(events)), deps.schedule)
  let source: EventSource | null = null
  let opened = false
  let waitMs = 1000
  let stopped = false

  const open = () => {
    if (stopped) return
    const current = connect(`/app/events?window=${ownWindow}`)
    source = current
    const on = <T>(name: string, change: (changes: LiveChanges, data: T) => void) =>
      current.addEventListener(name, message => {
        const data = JSON.parse((message as MessageEvent<string>).data) as T
        batcher.add(changes => change(changes, data))
      })
    on<AppJob>('job', ({ jobs }, job) => jobs.set(job.id, job))
    on<{ id: string }>('removed', ({ jobs }, { id }) => jobs.set(id, null))
    on<Batch>('batch', ({ batches }, batch) => batches.set(batch.id, batch))
    on<{ id: string }>('batch-removed', ({ batches }, { id }) => batches.set(id, null))
    on<BatchItem>('item', ({ items }, item) => items.set(item.id, item))
    on<SpeechModel>('model', ({ models }, model) => models.set(model.id, model))
    on<Pack>('pack', ({ languages }, language) => languages.set(language.id, language))
    on<null>('waiting', changes => {
      changes.waiting = true
    })
    on<{ balance: number }>('balance', (changes, { balance }) => {
      changes.balance = balance
    })
    current.addEventListener('open', () => {
      waitMs = 1000
      handlers.open(opened)
      opened = true
    })
    current.addEventListener('error', () => {
      handlers.lost()
      if (current.readyState !== 2) return
      current.close()
      later(open, waitMs)
      waitMs = Math.min(waitMs * 2, longestWaitMs)
    })
  }

  open()
  return () => {
    stopped = true
    source?.close()
    batcher.flush()
  }
}
