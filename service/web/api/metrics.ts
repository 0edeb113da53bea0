import { version } from '../../shared/config.ts'
import { DURATION_BOUNDS } from '../../work/jobs/statistics.ts'
import type { Routes } from '../http/schema.ts'
import type { Services } from '../services.ts'

/** One value, with what it is the value of. */
interface Sample {
  labels?: Readonly<Record<string, string | number>>
  value: number
  /** After the metric's name, as histograms have it. */
  suffix?: string
}

/** `GET /metrics` in the text format of Prometheus, version 0.0.4. */
export function metricRoutes(app: Routes, services: Services): void {
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metricsOf(services)),
  )
}

async function metricsOf({ stores, statistics, pool }: Services): Promise<string> {
  const { queued, running } = await stores.jobs.open()
  const memory = process.memoryUsage()
  return [
    metric('refile_info', 'gauge', 'Always 1.', [{ labels: { version }, value: 1 }]),
    metric('refile_jobs', 'gauge', 'Jobs of all hosts that wait or run.', [
      { labels: { status: 'queued' }, value: queued },
      { labels: { status: 'running' }, value: running },
    ]),
    metric(
      'refile_job_duration_seconds',
      'histogram',
      'How long the jobs took that succeeded on this host.',
      [...statistics.durations].flatMap(([pair, { upTo, count, seconds }]) => {
        const [from = '', to = ''] = pair.split(' ')
        const buckets = [...upTo, count].map((value, at) => ({
          suffix: '_bucket',
          labels: { from, to, le: DURATION_BOUNDS[at] ?? '+Inf' },
          value,
        }))
        const labels = { from, to }
        return [
          ...buckets,
          { suffix: '_sum', labels, value: seconds },
          { suffix: '_count', labels, value: count },
        ]
      }),
    ),
    metric(
      'refile_job_failures_total',
      'counter',
      'Jobs that failed on this host.',
      [...statistics.failures].map(([code, value]) => ({ labels: { code }, value })),
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

function metric(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(({ labels = {}, value, suffix = '' }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(String(text))}"`)
    return `${name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`
  })
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

const escaped = (text: string) => text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')
