import type { AppJob, Batch, OcrLanguage, SpeechModel } from '../../service/web/app/types.ts'
import { createBatcher } from './batcher.ts'

/** The changes between two frames: only the latest state of each job and batch, `null` if it was removed. */
export interface LiveChanges {
  jobs: Map<string, AppJob | null>
  batches: Map<string, Batch | null>
  models: Map<string, SpeechModel>
  languages: Map<string, OcrLanguage>
  balance: number | null
}

type LiveEvent =
  | { kind: 'job'; job: AppJob }
  | { kind: 'removed'; id: string }
  | { kind: 'batch'; batch: Batch }
  | { kind: 'batch-removed'; id: string }
  | { kind: 'balance'; balance: number }
  | { kind: 'model'; model: SpeechModel }
  | { kind: 'language'; language: OcrLanguage }

export function foldEvents(events: readonly LiveEvent[]): LiveChanges {
  const changes: LiveChanges = {
    ...{ jobs: new Map(), batches: new Map(), models: new Map(), languages: new Map() },
    balance: null,
  }
  for (const event of events) {
    if (event.kind === 'job') changes.jobs.set(event.job.id, event.job)
    else if (event.kind === 'removed') changes.jobs.set(event.id, null)
    else if (event.kind === 'batch') changes.batches.set(event.batch.id, event.batch)
    else if (event.kind === 'batch-removed') changes.batches.set(event.id, null)
    else if (event.kind === 'model') changes.models.set(event.model.id, event.model)
    else if (event.kind === 'language') changes.languages.set(event.language.id, event.language)
    else changes.balance = event.balance
  }
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
  const connect = deps.connect ?? (path => new EventSource(path))
  const later = deps.later ?? ((run, ms) => setTimeout(run, ms))
  const batcher = createBatcher<LiveEvent>(events => handlers.changes(foldEvents(events)), deps.schedule)
  let source: EventSource | null = null
  let opened = false
  let waitMs = 1000
  let stopped = false

  const open = () => {
    if (stopped) return
    const current = connect('/app/events')
    source = current
    const on = <T>(name: string, toEvent: (data: T) => LiveEvent) =>
      current.addEventListener(name, message => {
        batcher.add(toEvent(JSON.parse((message as MessageEvent<string>).data) as T))
      })
    on<AppJob>('job', job => ({ kind: 'job', job }))
    on<{ id: string }>('removed', ({ id }) => ({ kind: 'removed', id }))
    on<Batch>('batch', batch => ({ kind: 'batch', batch }))
    on<{ id: string }>('batch-removed', ({ id }) => ({ kind: 'batch-removed', id }))
    on<{ balance: number }>('balance', ({ balance }) => ({ kind: 'balance', balance }))
    on<SpeechModel>('model', model => ({ kind: 'model', model }))
    on<OcrLanguage>('ocr-language', language => ({ kind: 'language', language }))
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
