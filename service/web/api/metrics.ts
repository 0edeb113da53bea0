import { version } from '../../shared/config.ts'
import type { Durations } from '../../work/jobs/statistics.ts'
import { forRole } from '../http/access.ts'
import type { Routes } from '../http/schema.ts'
import type { Services } from '../services.ts'

/** Media type of what Prometheus reads. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** One value, with what it is the value of. */
interface Sample {
  labels?: Readonly<Record<string, string | number>>
  value: number
  /** After the metric's name, as histograms have it. */
  suffix?: string
}

/** `GET /metrics` in the text format of Prometheus, version 0.0.4. */
export function metricRoutes(app: Routes, services: Services): void {
  const anyone = forRole('anyone', app)
  anyone.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(METRICS_TYPE).send(await metricsOf(services)),
  )
}

/** What `/metrics` answers; a host without other routes answers it, too. */
export async function metricsOf({
  stores,
  statistics,
  pool,
}: Pick<Services, 'stores' | 'statistics' | 'pool'>): Promise<string> {
  const { queued, running } = await stores.jobs.open()
  const waiting = await stores.jobs.waiting()
  const ofWaiting = (what: 'jobs' | 'seconds'): Sample[] =>
    waiting.map(each => ({
      labels: { account: each.accountId, from: each.from, to: each.to },
      value: each[what],
    }))
  const memory = process.memoryUsage()
  const { durations, failures, claims, leasesLost, webhooks, storage, storageFailures } = statistics
  return [
    metric('refile_info', 'gauge', 'Always 1.', [{ labels: { version }, value: 1 }]),
    metric('refile_jobs', 'gauge', 'Jobs of all hosts that wait or run.', [
      { labels: { status: 'queued' }, value: queued },
      { labels: { status: 'running' }, value: running },
    ]),
    metric('refile_queued_jobs', 'gauge', 'Jobs that wait.', ofWaiting('jobs')),
    metric(
      'refile_queue_seconds',
      'gauge',
      'How long the oldest job has waited that still does.',
      ofWaiting('seconds'),
    ),
    metric(
      'refile_job_duration_seconds',
      'histogram',
      'How long the jobs took that succeeded on this host.',
      [...durations].flatMap(([pair, taken]) => {
        const [from = '', to = ''] = pair.split(' ')
        return histogram({ from, to }, taken)
      }),
    ),
    metric(
      'refile_job_failures_total',
      'counter',
      'Jobs that failed on this host.',
      counts('code', failures),
    ),
    metric(
      'refile_claim_duration_seconds',
      'histogram',
      'How long searches of this host for a job took.',
      histogram({}, claims),
    ),
    metric('refile_leases_lost_total', 'counter', 'Jobs that this host lost while it ran them.', [
      { value: leasesLost },
    ]),
    metric(
      'refile_webhook_attempts_total',
      'counter',
      'Attempts of this host to deliver webhooks.',
      counts('outcome', webhooks),
    ),
    metric(
      'refile_storage_duration_seconds',
      'histogram',
      'How long the storage took for this host.',
      [...storage].flatMap(([operation, taken]) => histogram({ operation }, taken)),
    ),
    metric(
      'refile_storage_failures_total',
      'counter',
      'What the storage could not do for this host.',
      counts('operation', storageFailures),
    ),
    metric('refile_worker_starts_total', 'counter', 'Worker processes that were started.', [
      { value: pool.started },
    ]),
    metric('refile_workers', 'gauge', 'Worker processes now.', [{ value: pool.size }]),
    metric('refile_memory_bytes', 'gauge', 'Resident memory.', [
      { labels: { of: 'service' }, value: memory.rss },
      { labels: { of: 'workers' }, value: pool.memoryBytes },
    ]),
    metric('refile_heap_bytes', 'gauge', 'Heap of the service in use.', [{ value: memory.heapUsed }]),
  ].join('')
}

const counts = (label: string, all: ReadonlyMap<string, number>): Sample[] =>
  [...all].map(([text, value]) => ({ labels: { [label]: text }, value }))

const histogram = (labels: Record<string, string>, { bounds, upTo, count, seconds }: Durations): Sample[] => [
  ...[...upTo, count].map((value, at) => ({
    suffix: '_bucket',
    labels: { ...labels, le: bounds[at] ?? '+Inf' },
    value,
  })),
  { suffix: '_sum', labels, value: seconds },
  { suffix: '_count', labels, value: count },
]

function metric(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(({ labels = {}, value, suffix = '' }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(String(text))}"`)
    return `${name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`
  })
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

const escaped = (text: string) => text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')
