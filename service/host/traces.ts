import type { WorkerPool } from '../sandbox/workers/pool.ts'
import { wrapped } from '../shared/wrapped.ts'
import { jobOf } from '../store/interfaces/keys.ts'
import type { Stores } from '../store/interfaces/stores.ts'
import type { Span } from './otlp.ts'

/**
 * Stores and a pool that record spans of what is done for each job: submit, claim, run with what its engine and the stores do in it, and its webhooks. The trace of
 * a job has the bytes of its id and its first span the last half of them, so that all hosts add to one trace without asking each other.
 * Spans name types, engines and codes, never files, accounts or addresses.
 */
export function traced(
  stores: Stores,
  pool: WorkerPool,
  add: (span: Span) => void,
): { stores: Stores; pool: WorkerPool } {
  const { jobs, blobs, webhooks } = stores
  const now = () => performance.timeOrigin + performance.now()
  const ofJob = (id: string) => {
    const whole = id.replaceAll('-', '')
    return { trace: whole, parent: whole.slice(16) }
  }
  const record = (jobId: string, name: string, from: number, more: Partial<Span> = {}) =>
    add({ ...ofJob(jobId), name, from, to: now(), attributes: {}, ...more })
  /** Does something and records its span, also when it fails. */
  const recorded = async <T>(
    jobId: string | undefined,
    name: string,
    work: () => Promise<T>,
    attributes = {},
  ) => {
    const from = now()
    const end = (problem?: string) => jobId && record(jobId, name, from, { attributes, problem })
    try {
      const answer = await work()
      end()
      return answer
    } catch (error) {
      end(String((error as { code?: unknown }).code ?? (error as Error).name))
      throw error
    }
  }

  /** When the attempts that run here began. */
  const running = new Map<string, number>()
  const ended = ({ id, attempts }: { id: string; attempts: number }, problem?: string) => {
    const from = running.get(id)
    running.delete(id)
    if (from !== undefined) record(id, 'run', from, { attributes: { attempt: attempts }, problem })
  }
  const tracedJobs = wrapped(jobs, {
    async submit(...given) {
      const from = now()
      const answer = await jobs.submit(...given)
      if (answer.kind === 'queued') {
        const { trace, parent } = ofJob(answer.job.id)
        const attributes = { job: answer.job.job, origin: answer.job.origin }
        add({ trace, id: parent, name: 'submit', from, to: now(), attributes })
      }
      return answer
    },
    async claim(...given) {
      const from = now()
      const job = await jobs.claim(...given)
      if (job) {
        record(job.id, 'claim', from, { attributes: { attempt: job.attempts } })
        remember(running, job.id, now())
      }
      return job
    },
    async succeed(...given) {
      const answer = await recorded(given[0].id, 'store succeed', () => jobs.succeed(...given))
      ended(given[0])
      return answer
    },
    async fail(...given) {
      const answer = await recorded(given[0].id, 'store fail', () => jobs.fail(...given))
      ended(given[0], given[1].code)
      return answer
    },
  })

  const deliveries = new Map<string, { jobId: string; from: number }>()
  const tracedWebhooks = wrapped(webhooks, {
    async claim(...given) {
      const claimed = await webhooks.claim(...given)
      for (const { eventId, jobId } of claimed) remember(deliveries, eventId, { jobId, from: now() })
      return claimed
    },
    async settle(...given) {
      const [{ eventId, attempts }, { status, state }] = given
      const delivery = deliveries.get(eventId)
      deliveries.delete(eventId)
      if (delivery) {
        const attributes = { attempt: attempts, ...(status === null ? {} : { status }) }
        const problem = state === 'delivered' ? undefined : state
        record(delivery.jobId, 'webhook', delivery.from, { attributes, problem })
      }
      return webhooks.settle(...given)
    },
  })

  const tracedBlobs = wrapped(blobs, {
    put: (...given) => recorded(jobOf(given[0]), 'blob put', () => blobs.put(...given)),
    checkout: (...given) => recorded(jobOf(given[0]), 'blob checkout', () => blobs.checkout(...given)),
  })
  const run: WorkerPool['run'] = (kind, request, options) =>
    recorded(options.jobId, `engine ${options.engine.name}`, () => pool.run(kind, request, options))
  return {
    stores: wrapped(stores, { jobs: tracedJobs, blobs: tracedBlobs, webhooks: tracedWebhooks }),
    pool: wrapped(pool, { run }),
  }
}

/** How much is remembered of what has started: a canceled attempt has no end that is seen here. */
const REMEMBERED = 1000

function remember<T>(started: Map<string, T>, key: string, value: T): void {
  started.set(key, value)
  const [oldest] = started.keys()
  if (started.size > REMEMBERED && oldest !== undefined) started.delete(oldest)
}
