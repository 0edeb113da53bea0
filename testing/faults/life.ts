/**
 * One life of a service with everything that can happen to jobs, recorded in a journal as an outside observer would see
 * it.
 */
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { type Assembly, assemble } from '../../service/host/assembly.ts'
import { loadConfig } from '../../service/shared/config.ts'
import type { Outbound } from '../../service/shared/net/outbound.ts'
import type { Job } from '../../service/store/interfaces/jobs.ts'
import { examine } from '../../service/work/intake/examine.ts'
import { prepare } from '../../service/work/intake/prepare.ts'
import { receive, type Source } from '../../service/work/intake/source.ts'
import { isTerminal } from '../../service/work/jobs/job.ts'
import { spawnForTests } from '../servers/hosts/spawn.ts'
import type { Behaviour } from './conversion.ts'
import { instantWorkers } from './instant-worker.ts'
import { type Journal, journalTo } from './journal.ts'
import type { Place } from './place.ts'

export const HOUR_MS = 3600_000
/** Time between two checks whether something has happened. */
const LOOK_MS = 2
/** Waiting ends after this time. */
const TIMEOUT_MS = 60_000
const FREE_CREDITS = 100

export interface Life extends Assembly {
  journal: Journal
  /** Uploads and stages a file. */
  stage(name: string, content: string): Promise<string>
  stageOriginal(): Promise<string>
  /** Uploads a file and queues its conversion. */
  submit(behaviour: Behaviour, options?: { webhook: boolean }): Promise<Job>
  saveBatch(fileIds: string[]): Promise<void>
  /** Cancels slow jobs, and resolves once nothing is left to do. */
  idle(): Promise<void>
  /** Deletes outputs and staged files, as if hours had passed. */
  expire(): Promise<void>
}

/** A receiver that accepts every webhook. */
const receiver =
  (journal: Journal): Outbound =>
  async (url, { body = '' }) => {
    const { eventId, jobId, status } = JSON.parse(String(body))
    journal({ kind: 'delivered', eventId, jobId, status })
    return { status: 200, url, headers: new Headers(), body: none(), [Symbol.asyncDispose]: async () => {} }
  }

async function* none() {}

/** A step that fails because the disk is full is repeated. */
function onDiskFull(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOSPC' && !/disk is full/.test(error.message)) throw error
}

/** A request whose body is a form with one file. */
function upload(name: string, content: string): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  request.headers['content-type'] = 'multipart/form-data; boundary=cut'
  request.push(
    `--cut\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${content}\r\n--cut--\r\n`,
  )
  request.push(null)
  return request
}

/**
 * Starts a life.
 * @param workers `real` ones are processes
 */
export async function begin(place: Place, workers: 'instant' | 'real' = 'instant'): Promise<Life> {
  const journal = journalTo(place.journal)
  const config = loadConfig({ home: place.home, slots: 3, freeCredits: FREE_CREDITS, logLevel: 'silent' }, {})
  const assembly = await assemble(config, pino({ level: 'silent' }), () => 'http://127.0.0.1:1', {
    workerEntry: join(import.meta.dirname, 'worker-process.ts'),
    spawn: workers === 'real' ? spawnForTests : instantWorkers,
    outbound: receiver(journal),
  })
  const { services, owner, retention } = assembly
  const { stores, jobs, files, batches } = services
  services.webhooks.start()

  const stageFrom = async (source: Source) => {
    await using received = await receive(source, services)
    const file = received.file!
    const known = await examine(services, file, { accountId: owner.id })
    const staged = await (source.kind === 'path'
      ? files.addLocal(owner.id, file, known)
      : files.add(owner.id, file, known))
    journal({ kind: 'staged', fileId: staged.id })
    return staged.id
  }
  /** Nobody waits for slow jobs, which an earlier life may have left. */
  const cancelSlow = async () => {
    for (const { id, status, inputName } of await stores.jobs.list(owner.id, null, 1000)) {
      if (inputName !== 'slow.jpg' || isTerminal(status)) continue
      await jobs.cancel(id, owner.id)
      journal({ kind: 'canceled', jobId: id })
    }
  }
  /** As if somebody had freed space on the disk. */
  const resumePaused = async () => {
    for (const { id, state } of await batches.list(owner.id)) {
      if (state === 'paused') await batches.resume(id, owner.id)
    }
  }
  const isIdle = async () => {
    const all = await stores.jobs.list(owner.id, null, 1000)
    const open = await batches.list(owner.id)
    return (
      all.every(({ status }) => isTerminal(status)) &&
      open.every(({ state }) => state === 'done' || state === 'canceled') &&
      (await stores.webhooks.dueIn()) === undefined
    )
  }
  return {
    ...assembly,
    journal,
    stage: (name, content) => stageFrom({ kind: 'upload', request: upload(name, content) }),
    stageOriginal: () => stageFrom({ kind: 'path', path: place.original.path }),
    submit: async (behaviour, { webhook } = { webhook: false }) => {
      const input = `${behaviour} input`
      await using received = await receive(
        { kind: 'upload', request: upload(`${behaviour}.jpg`, input) },
        services,
      )
      const file = received.file!
      const wanted = { accountId: owner.id, origin: 'api', targetFormat: 'webp', options: {} } as const
      const target = {
        url: 'https://example.com/',
        secret: 'secret',
        events: ['succeeded', 'failed'],
      } as const
      const prepared = { ...(await prepare(services, file, wanted)), webhook: webhook ? target : undefined }
      const job = await jobs.submit(prepared, key => stores.blobs.put(key, file.path))
      journal({ kind: 'accepted', jobId: job.id, input, webhook })
      return job
    },
    saveBatch: async fileIds => {
      const destination = { kind: 'folder', path: place.results, name: '{name}.{ext}' } as const
      const batch = await batches.create(owner.id, {
        fileIds,
        targetFormat: 'webp',
        options: {},
        destination,
      })
      journal({ kind: 'batch', batchId: batch.id, files: fileIds.length })
    },
    idle: async () => {
      const deadline = performance.now() + TIMEOUT_MS
      while (!(await isIdle())) {
        await cancelSlow().catch(onDiskFull)
        await resumePaused().catch(onDiskFull)
        if (performance.now() > deadline) throw new Error('something never ends')
        await delay(LOOK_MS)
      }
    },
    expire: async () => {
      journal({ kind: 'expiring' })
      await retention.sweep(Date.now() + 2 * HOUR_MS)
    },
  }
}

/**
 * A whole life: every step that a job, a batch, a webhook and a staged file can take, and a clean end.
 * @param attempt wraps each step, which may fail when the disk does
 */
export async function live(
  place: Place,
  workers: 'instant' | 'real' = 'instant',
  attempt: <T>(step: () => Promise<T>) => Promise<T | undefined> = step => step(),
): Promise<void> {
  await using life = await begin(place, workers)
  const { journal, services, owner } = life
  const { jobs, stores } = services
  const submit: Life['submit'] = (...what) => life.submit(...what)
  const staged = await Promise.all([
    attempt(() => life.stage('first.jpg', 'fine, the first')),
    attempt(() => life.stage('second.jpg', 'fine, the second')),
    attempt(() => life.stageOriginal()),
  ])
  await attempt(() => life.saveBatch(staged.flatMap(id => id ?? [])))
  const [notified] = await Promise.all([
    attempt(() => submit('fine', { webhook: true })),
    attempt(() => submit('fail', { webhook: true })),
    attempt(() => submit('crash')),
    attempt(() =>
      stores.accounts.topUp(owner.id, 7, 'Top-up').then(() => journal({ kind: 'credits', amount: 7 })),
    ),
  ])
  const slow = await attempt(() => submit('slow'))
  if (slow) {
    while ((await stores.jobs.get(slow.id))?.status === 'Queued') await delay(LOOK_MS)
    if (workers === 'real') for (const pid of services.pool.pids) journal({ kind: 'process', pid })
    await attempt(async () => {
      await jobs.cancel(slow.id, owner.id)
      journal({ kind: 'canceled', jobId: slow.id })
    })
  }
  await life.idle()
  if (notified) {
    await attempt(async () => {
      await jobs.remove(notified.id, owner.id)
      journal({ kind: 'removed', jobId: notified.id })
    })
  }
  await life.expire()
  await attempt(() => submit('fine'))
  await life.idle()
}

/** Starts on what a killed life has left, and lets everything finish. */
export async function settle(place: Place): Promise<void> {
  await using life = await begin(place)
  await life.idle()
}
