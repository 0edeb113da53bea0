import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { openApp } from '../../testing/app.ts'
import { misbehaving } from '../../testing/misbehaving.ts'
import { spawnForTests } from '../../testing/servers/hosts/spawn.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../testing/servers/postgres.ts'
import { folderOf, json, type TestService, testService } from '../../testing/service.ts'
import { type Config, loadConfig } from '../shared/config.ts'
import { diskBlobs } from '../store/disk/blobs.ts'
import { openPostgresStores } from '../store/postgres/stores.ts'
import { runAccount } from './account-command.ts'
import { type ServiceOptions, startWorker } from './host.ts'

const secretsKey = randomBytes(32).toString('base64')

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-roles-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

/** Inodes of the sockets that a process listens on with TCP. */
async function listening(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`
  const targets = await Promise.all(
    (await readdir(folder)).map(name => readlink(join(folder, name)).catch(() => '')),
  )
  const own = new Set(targets.flatMap(target => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []))
  const tables = await Promise.all(['tcp', 'tcp6'].map(name => readFile(`/proc/net/${name}`, 'utf8')))
  return tables
    .flatMap(table => table.trim().split('\n').slice(1))
    .map(line => line.trim().split(/\s+/))
    .flatMap(([, , , state, , , , , , inode = '']) => (state === '0A' && own.has(inode) ? inode : []))
}

describe.skipIf(!hasPostgres)('hosts with roles', () => {
  let server: PostgresServer
  let shared: Pick<Config, 'blobs' | 'databaseUrl' | 'secretsKey'>
  beforeAll(async () => {
    server = await startPostgres()
  })
  beforeEach(async () => {
    const blobs = { kind: 'folder', path: await newFolder() } as const
    shared = { databaseUrl: await server.createDatabase(), blobs, secretsKey }
  })
  afterEach(() => void vi.useRealTimers())
  afterAll(() => server[Symbol.asyncDispose]())

  const submit = async (service: TestService, behaviour: string) =>
    (await json<{ id: string }>(service.submit('a.jpg', behaviour, 'webp'))).id

  test('every line of the log names its host, and those of a worker the job', async () => {
    const lines: { msg: string; host?: string }[] = []
    const log = pino({ level: 'info' }, { write: line => void lines.push(JSON.parse(line)) })
    const service = await testService({ ...misbehaving, ...shared, log })
    const id = await submit(service, 'abort')
    await service.finished(id)
    const host = (await readFile(join(service.home, 'host-id'), 'utf8')).trim()
    expect(lines.find(({ msg }) => msg === 'Refile is listening')).toBeDefined()
    expect(new Set(lines.map(line => line.host))).toEqual(new Set([host]))
    expect(lines.find(({ msg }) => msg === 'a worker process died')).toMatchObject({ jobId: id })
  })

  test('a serving host queues jobs, and a worker converts them and drains', async () => {
    const service = await testService({ ...misbehaving, ...shared, role: 'api' })
    expect(await listening(process.pid)).not.toEqual([])
    const { jobs } = service.services.stores
    const claim = vi.spyOn(jobs, 'claim')
    const [first, second] = [await submit(service, 'begin'), await submit(service, 'fine')]

    const home = await newFolder()
    const port = await freePort()
    const options = {
      ...misbehaving,
      ...shared,
      home,
      role: 'worker',
      slots: 1,
      metrics: true,
      port,
    } as const
    const worker = await startWorker({ ...options, spawn: spawnForTests, log: pino({ level: 'silent' }) })
    onTestFinished(() => worker.close())
    const metrics = async (path = '/metrics') => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    const started = async () => readdir(await folderOf(home, first)).catch(() => [])
    await expect.poll(started).toContain('begun')
    const drained = worker.drain(600_000, new AbortController().signal)
    await writeFile(join(await folderOf(home, first), 'go'), '')
    await drained
    expect(await service.finished(first)).toMatchObject({ status: 'Succeeded' })
    const output = await service.call(`/convert/job/${first}/download`)
    expect(await output.text()).toMatch(/^begin done by \d+/)
    expect(await metrics()).toContain('refile_job_duration_seconds_count{from="jpg",to="webp"} 1\n')
    expect(await metrics('/health/live')).toBe('')
    await worker.close()
    expect(await jobs.get(second)).toMatchObject({ status: 'Queued', attempts: 0 })
    expect(claim).not.toHaveBeenCalled()
  })

  test('a worker listens on no port, survives an outage of the database, and ends on SIGTERM', async () => {
    const [home, main] = [await newFolder(), join(import.meta.dirname, '../main.ts')]
    const child = spawn(process.execPath, [main, '--role', 'worker', '--home', home], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        REFILE_DATABASE_URL: shared.databaseUrl!,
        REFILE_BLOBS: shared.blobs?.kind === 'folder' ? shared.blobs.path : '',
        REFILE_SECRETS_KEY: secretsKey,
        REFILE_DRAIN_SECONDS: '60',
      },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    let log = ''
    child.stderr.on('data', chunk => {
      log += chunk
    })
    const [line] = await once(child.stdout, 'data')
    expect(JSON.parse(line)).toEqual({ pid: child.pid, role: 'worker' })
    expect(await listening(child.pid!)).toEqual([])
    expect(await readdir(home)).not.toContain('service.json')

    await server.shut(shared.databaseUrl!)
    await expect.poll(() => log.split('something failed').length, { timeout: 30_000 }).toBeGreaterThan(2)
    await server.reopen(shared.databaseUrl!)
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    expect(log).toContain('finishing what runs')
  })
  test('the host that received a batch saves its results, and no other does', async () => {
    const [home, results] = [await newFolder(), await newFolder()]
    const options = { ...misbehaving, ...shared }
    const asked = { ...options, home, role: 'api' } as const
    const here = await testService(asked)
    const app = await openApp(here)
    const fileIds = await app.stage(['a', 'b', 'c'].map(name => [`${name}.jpg`, 'fine']))
    const destination = { kind: 'folder', path: results, name: '{name}.{ext}' } as const
    const batch = await app.createBatch({ fileIds, targetFormat: 'webp', destination })
    await expect.poll(async () => (await app.batch(batch.id))?.counts.queued).toBe(3)
    await here.close()

    const there = await testService(options)
    const placing = vi.spyOn(there.services.stores.batches, 'placing')
    const elsewhere = await openApp(there)
    await expect.poll(async () => (await elsewhere.batch(batch.id))?.counts.succeeded).toBe(3)
    expect(await readdir(results)).toEqual([])
    const back = await openApp(await testService(asked))
    await back.batchIs(batch.id, 'done')
    expect((await readdir(results)).toSorted()).toEqual(['a.out', 'b.out', 'c.out'])
    expect(placing).not.toHaveBeenCalled()
  })
  test('a host that has missed events of others checks by itself', async () => {
    const results = await newFolder()
    const blobs = diskBlobs(await newFolder())
    const openStores: ServiceOptions['openStores'] = async (home, limits, onError) => {
      const url = shared.databaseUrl!
      const stores = await openPostgresStores({ url, home, limits, blobs, onError, secretsKey })
      const nothing = () => () => {}
      const events = { hosts: 1, publish: () => {}, subscribe: nothing, subscribeElsewhere: nothing }
      return { ...stores, events }
    }
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const service = await testService({ ...misbehaving, openStores })
    const app = await openApp(service)
    const fileIds = await app.stage([['a.jpg', 'fine']])
    const destination = { kind: 'folder', path: results, name: '{name}.{ext}' } as const
    const batch = await app.createBatch({ fileIds, targetFormat: 'webp', destination })
    await expect.poll(async () => (await app.batch(batch.id))?.counts.succeeded).toBe(1)
    expect(await readdir(results)).toEqual([])
    const later = async () => {
      vi.advanceTimersByTime(30_000)
      return (await app.batch(batch.id))?.state
    }
    await expect.poll(later).toBe('done')
    expect(await readdir(results)).toEqual(['a.out'])
  })
  test('accounts are managed while hosts run, each of which prints a key of its own', async () => {
    const [here, there] = [
      await testService({ ...misbehaving, ...shared, role: 'api' }),
      await testService({ ...misbehaving, ...shared, role: 'api' }),
    ]
    const status = async (service: TestService, key: string) =>
      (await service.call('/convert/entitlements/me', { key })).status
    const printed = [await here.replaceKey('Printed'), await there.replaceKey('Printed')] as const
    expect([await status(there, printed[0]), await status(here, printed[1])]).toEqual([200, 200])
    const again = await here.replaceKey('Printed')
    const keys = [again, printed[1], printed[0]]
    expect(await Promise.all(keys.map(key => status(there, key)))).toEqual([200, 200, 401])

    const config = loadConfig({ ...shared, home: await newFolder() })
    const account = async (...args: string[]) => {
      const lines: string[] = []
      await runAccount(args, config, line => lines.push(line))
      return lines
    }
    const [, key = ''] = await account('create', 'Print shop', '--credits', '9', '--open', '1')
    const submitted = async () => (await there.submit('a.jpg', 'fine', 'webp', {}, key)).status
    expect([await submitted(), await submitted()]).toEqual([202, 429])
    await account('limit', 'Print shop', '--open', '2')
    expect([await submitted(), await submitted()]).toEqual([202, 429])
    const listed = (await account('list')).map(line => JSON.parse(line))
    expect(listed).toMatchObject([{ name: 'Owner' }, { name: 'Print shop', credits: 7, running: 6, open: 2 }])
    await account('close', 'Print shop')
    expect([await status(here, key), await status(here, again)]).toEqual([401, 200])
  })
})
