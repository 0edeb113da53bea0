import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Config } from './config.ts'
import { startWorker } from './host.ts'
import { misbehaving } from './test/misbehaving.ts'
import { hasPostgres, type PostgresServer, startPostgres } from './test/postgres.ts'
import { folderOf, json, type TestService, testService } from './test/service.ts'
import { spawnForTests } from './test/spawn.ts'

const secretsKey = randomBytes(32).toString('base64')

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-roles-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
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
  afterAll(() => server[Symbol.asyncDispose]())

  const submit = async (service: TestService, behaviour: string) =>
    (await json<{ id: string }>(service.submit('a.jpg', behaviour, 'webp'))).id

  test('one that serves queues jobs, and one that works converts them and drains', async () => {
    const service = await testService({ ...misbehaving, ...shared, role: 'api' })
    expect(await listening(process.pid)).not.toEqual([])
    const { jobs } = service.services.stores
    const claim = vi.spyOn(jobs, 'claim')
    const [first, second] = [await submit(service, 'begin'), await submit(service, 'fine')]

    const home = await newFolder()
    const options = { ...misbehaving, ...shared, home, role: 'worker', slots: 1 } as const
    const worker = await startWorker({ ...options, spawn: spawnForTests, log: pino({ level: 'silent' }) })
    onTestFinished(() => worker.close())
    const begun = async () => readdir(await folderOf(home, first)).catch(() => [])
    await expect.poll(begun).toContain('begun')
    const drained = worker.drain(600_000, new AbortController().signal)
    await writeFile(join(await folderOf(home, first), 'go'), '')
    await drained
    expect(await service.finished(first)).toMatchObject({ status: 'Succeeded' })
    const output = await service.call(`/convert/job/${first}/download`)
    expect(await output.text()).toMatch(/^begin done by \d+/)
    await worker.close()
    expect(await jobs.get(second)).toMatchObject({ status: 'Queued', attempts: 0 })
    expect(claim).not.toHaveBeenCalled()
  })

  test('one that works listens on no port, outlasts an outage of the database, and ends on SIGTERM', async () => {
    const [home, main] = [await newFolder(), join(import.meta.dirname, 'main.ts')]
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
})
