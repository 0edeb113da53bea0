/**
 * A host with sleeping workers, as a process that tests can kill. Its argument is a `HostSettings`; it prints its address and
 * an API key of the owner.
 */
import { basename, join } from 'node:path'
import { pino } from 'pino'
import { startService } from '../../../service/host/host.ts'
import type { ToWorker, WorkerTasks } from '../../../service/sandbox/workers/protocol.ts'
import type { Spawn } from '../../../service/sandbox/workers/spawn.ts'
import type { BlobPlace } from '../../../service/shared/blob-place.ts'
import { openBlobs } from '../../../service/store/blobs.ts'
import { openEmbeddedStores } from '../../../service/store/embedded.ts'
import type { Attempt } from '../../../service/store/interfaces/jobs.ts'
import { openPostgresStores } from '../../../service/store/postgres/stores.ts'
import { s3Blobs } from '../../../service/store/s3/blobs.ts'
import { FENCE, write } from './fence.ts'
import { spawnForTests } from './spawn.ts'

export interface HostSettings {
  home: string
  /** What it shares with other hosts; if undefined, everything is in its data folder. */
  shared?: { url: string; place: BlobPlace; secretsKey: string }
  /** Authorities under which clients reach the balancer. */
  allowedHosts?: string[]
  slots: number
  leaseMs?: number
  /** Offset of this host's clock. */
  clockOffsetMs?: number
  /** Folder of the fencing log; if undefined, no log is written. */
  fence?: string
}

/** Gives up on a storage that hangs soon enough for a test to see it. */
const TIMEOUTS = { connectMs: 2_000, silenceMs: 1_500, attempts: 2 }

const settings = JSON.parse(process.argv[2] ?? '') as HostSettings

const System = Date
const { clockOffsetMs = 0 } = settings
globalThis.Date = class extends System {
  constructor(...words: []) {
    super(...((words.length === 0 ? [System.now() + clockOffsetMs] : words) as []))
  }
  static override now() {
    return System.now() + clockOffsetMs
  }
} as DateConstructor

/** The latest attempt number of each job that this host claimed. */
const attempts = new Map<string, number>()

/** Adds the attempt number to each task; conversions do not need it, but the fencing log does. */
const spawn: Spawn = (entry, env, words) => {
  const { fence } = settings
  const worker = spawnForTests(entry, { ...env, ...(fence ? { [FENCE]: fence } : {}) }, words)
  const post = (posted: unknown) => {
    const { kind, request } = posted as ToWorker
    const job = kind === 'convert' ? basename((request as WorkerTasks['convert']['request']).folder) : ''
    worker.post({ ...(posted as ToWorker), attempt: attempts.get(job) })
  }
  return Object.assign(Object.create(worker), { post })
}

function reportLease({ id, attempts: attempt }: Attempt, at: number): void {
  const { fence } = settings
  if (fence) write(fence, id, { act: 'lease', attempt, pid: process.pid, at })
}

const { home, shared, allowedHosts = [], slots, leaseMs } = settings
const service = await startService({
  ...{ home, allowedHosts, slots, leaseMs, spawn },
  blobs: shared?.place ?? null,
  port: 0,
  rateLimit: 0,
  autoTopUp: false,
  freeCredits: 1_000_000,
  workerEntry: join(import.meta.dirname, 'sleeping-worker.ts'),
  log: pino({ level: process.env.REFILE_LOG_LEVEL ?? 'silent' }, pino.destination(2)),
  openStores: async (_home, limits, onError) => {
    if (!shared) return openEmbeddedStores(home, limits, onError)
    const { place, ...database } = shared
    const blobs =
      place.kind === 's3'
        ? s3Blobs(place, join(home, 'checkouts'), TIMEOUTS)
        : await openBlobs({ home, blobs: place })
    const stores = await openPostgresStores({ ...database, home, limits, blobs, onError })
    const { jobs } = stores
    const [claim, renew] = [jobs.claim.bind(jobs), jobs.renew.bind(jobs)]
    jobs.claim = async wanted => {
      const asked = System.now()
      const job = await claim(wanted)
      if (!job) return undefined
      attempts.set(job.id, job.attempts)
      reportLease(job, asked + wanted.leaseMs)
      return job
    }
    jobs.renew = async (owner, running, leaseMs) => {
      const asked = System.now()
      const lost = await renew(owner, running, leaseMs)
      for (const attempt of running) if (!lost.includes(attempt.id)) reportLease(attempt, asked + leaseMs)
      return lost
    }
    return stores
  },
}).catch(error => {
  process.stderr.write(`${error}\n`)
  process.exit(1)
})
const stop = () => void service.close().then(() => process.exit(0))
process.on('SIGTERM', stop).on('disconnect', stop)
const apiKey = await service.createKey('test')
process.stdout.write(`${JSON.stringify({ url: service.url, apiKey })}\n`)
