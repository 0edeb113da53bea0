import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { type RunningService, type ServiceOptions, startService } from '../service/host/host.ts'
import type { JobStatusResponse } from '../service/web/api/shapes.ts'
import { spawnForTests } from './servers/hosts/spawn.ts'
import { contentsOf, onSharedStores, storesFor } from './shared-stores.ts'

const root = join(import.meta.dirname, '..')

export interface TestService extends RunningService {
  home: string
  key: string
  /** A request with the owner's key, or with the given one. */
  call(path: string, init?: RequestInit & { key?: string | null }): Promise<Response>
  /** Submits bytes as a file. */
  submit(
    fileName: string,
    bytes: Uint8Array<ArrayBuffer> | string,
    targetFormat: string,
    fields?: Record<string, string>,
    key?: string,
  ): Promise<Response>
  /** Polls until a job has ended. */
  finished(id: string): Promise<JobStatusResponse>
  balance(): Promise<number>
  /** All files below the data folder that belong to uploads or jobs. */
  filesLeft(): Promise<string[]>
}

/** Starts a service on a free port with its own data folder; stopped and deleted when the test ends. */
export async function testService(options: Partial<ServiceOptions> = {}): Promise<TestService> {
  const { stop, ...service } = await start(options)
  onTestFinished(stop)
  return service
}

/** The same for all tests of a file; call it outside of them. */
export function sharedService(options: Partial<ServiceOptions> = {}): () => TestService {
  let started: (TestService & { stop(): Promise<void> }) | undefined
  beforeAll(async () => {
    started = await start(options)
  })
  afterAll(() => started?.stop())
  return () => started!
}

async function start(options: Partial<ServiceOptions>): Promise<TestService & { stop(): Promise<void> }> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'refile-home-')))
  // A test that names its stores means those.
  const namesStores = ['databaseUrl', 'blobs', 'openStores'].some(name => name in options)
  const stores = namesStores ? {} : (await storesFor(home)).options
  const service = await startService({
    ...stores,
    port: 0,
    rateLimit: 0,
    workerEntry: join(root, 'service/sandbox/workers/entry.ts'),
    resourcesFolder: join(root, 'resources'),
    log: pino({ level: 'silent' }),
    spawn: spawnForTests,
    ...options,
    home,
  })
  const stop = async () => {
    await service.close()
    if (!options.home) await rm(home, { recursive: true, force: true })
  }
  return { ...service, home, stop, ...client(service, home, await service.createKey('test')) }
}

/** Folder of a running job: inside its worker's folder, if workers have folders of their own. */
export async function folderOf(home: string, id: string): Promise<string> {
  const workers = await readdir(join(home, 'workers')).catch(() => [])
  const folders = workers.map(worker => join(home, 'workers', worker, 'work', id))
  return folders.find(folder => existsSync(folder)) ?? join(home, 'scratch', id)
}

function client(service: RunningService, home: string, ownKey: string) {
  const call: TestService['call'] = (path, { key = ownKey, ...init } = {}) =>
    fetch(`${service.url}${path}`, {
      ...init,
      headers: { ...(key === null ? {} : { 'x-service-api-key': key }), ...(init.headers as object) },
    })
  const submit: TestService['submit'] = (fileName, bytes, targetFormat, fields = {}, key = ownKey) => {
    const form = new FormData()
    form.set('targetFormat', targetFormat)
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('file', new Blob([bytes]), fileName)
    return call('/convert', { method: 'POST', body: form, key })
  }
  const finished: TestService['finished'] = async id => {
    for (;;) {
      const status = (await (await call(`/convert/job/${id}`)).json()) as JobStatusResponse
      if (!['Queued', 'Running'].includes(status.status)) return status
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
  const balance = async () => {
    const body = (await (await call('/convert/entitlements/me')).json()) as { totalCredits: number }
    return body.totalCredits
  }
  const filesLeft = async () => {
    const elsewhere = onSharedStores() ? await contentsOf(home) : []
    const folders = ['blobs', 'incoming', 'scratch', 'workers']
    const found = await Promise.all(
      folders.map(folder =>
        readdir(join(home, folder), { recursive: true, withFileTypes: true }).catch(() => []),
      ),
    )
    return [
      ...elsewhere,
      ...found.flat().flatMap(entry => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])),
    ]
  }
  return { key: ownKey, call, submit, finished, balance, filesLeft }
}

/** Body of a JSON answer, typed by the caller. */
export const json = async <T = Record<string, unknown>>(response: Response | Promise<Response>): Promise<T> =>
  (await (await response).json()) as T
