import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { isFull } from '../../../testing/fixtures/full.ts'
import { isAlive } from '../../../testing/servers/is-alive.ts'
import { folderOf, json } from '../../../testing/service.ts'
import { contentsOf, onSharedStores, storesFor } from '../../../testing/shared-stores.ts'

const main = join(import.meta.dirname, '../../../testing', 'misbehaving-service.ts')

interface Started {
  process: ChildProcess
  url: string
  apiKey: string
}

/** The service in a process of its own, so that it can be killed. */
async function start(home: string, slots = 1): Promise<Started> {
  const { environment } = await storesFor(home)
  const child = spawn(process.execPath, [main, home, String(slots)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', chunk => resolve(String(chunk)))
    child.once('exit', code => reject(new Error(`the service ended with ${code}`)))
  })
  return { process: child, ...JSON.parse(line) }
}

const exited = (child: ChildProcess) => new Promise(resolve => child.once('exit', resolve))

async function submit({ url, apiKey }: Started, behaviour: string, steps?: string): Promise<string> {
  const form = new FormData()
  if (steps) form.set('steps', steps)
  else form.set('targetFormat', 'webp')
  form.set('file', new Blob([behaviour]), 'a.jpg')
  const headers = { 'x-service-api-key': apiKey }
  const response = await fetch(`${url}/convert`, { method: 'POST', body: form, headers })
  expect(response.status).toBe(202)
  return (await json<{ id: string }>(response)).id
}

const get = ({ url, apiKey }: Started, path: string) =>
  json<Record<string, unknown>>(fetch(`${url}${path}`, { headers: { 'x-service-api-key': apiKey } }))

const statusOf = async (service: Started, id: string) => (await get(service, `/convert/job/${id}`)).status

async function newHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'refile-recovery-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return home
}

/** Ids of the jobs of which there are contents. */
const jobsWithContents = async (home: string) =>
  (await contentsOf(home)).flatMap(key => /^jobs\/(.*)\//.exec(key)?.[1] ?? [])

/**
 * Process ids of a service's workers, once there are this many: a job counts as running while its worker is still being
 * started.
 */
async function workersOf({ pid }: ChildProcess, count = 1): Promise<number[]> {
  const found = () => {
    const { stdout } = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' })
    return [...stdout.matchAll(/^ *(\d+) .*-worker\.ts/gm)].map(([, id]) => Number(id))
  }
  await expect.poll(() => found().length).toBeGreaterThanOrEqual(count)
  return found()
}

test('after kill -9 a queued job continues and a running one is repeated; money and files are right', async () => {
  const home = await newHome()
  const begun = async (id: string) => readdir(await folderOf(home, id)).catch(() => [])
  const first = await start(home)
  const [running, queued] = [await submit(first, 'begin'), await submit(first, 'fine')]
  await expect.poll(() => begun(running)).toContain('begun')
  first.process.kill('SIGKILL')
  await exited(first.process)
  await rm(join(await folderOf(home, running), 'begun'))

  const second = await start(home)
  await expect.poll(() => begun(running)).toContain('begun')
  await writeFile(join(await folderOf(home, running), 'go'), '')
  for (const id of [running, queued]) await expect.poll(() => statusOf(second, id)).toBe('Succeeded')
  expect((await get(second, '/convert/entitlements/me')).totalCredits).toBe(498)
  // What was submitted is deleted a moment after the job has ended.
  await expect.poll(async () => (await contentsOf(home)).length).toBe(2)
  await expect.poll(() => readdir(join(home, 'scratch'))).toEqual([])
})

testFull(
  'after kill -9 again a running job is given up, those of several steps continue; money and files are right',
  async () => {
    const home = await newHome()
    const first = await start(home)
    const steps = JSON.stringify([{ targetFormat: 'webp' }, { targetFormat: 'png' }])
    const hanging = await submit(first, 'sleep')
    const stepped = await submit(first, 'then fine', steps)
    const queued = await submit(first, 'fine')
    await expect.poll(() => statusOf(first, hanging)).toBe('Running')
    first.process.kill('SIGKILL')
    await exited(first.process)

    // Of several hosts any may vanish for reasons of its own, so that there it is repeated twice.
    for (let repeated = 0; repeated < (onSharedStores() ? 2 : 1); repeated++) {
      const next = await start(home)
      // The hanging job runs again (one slot only), the other still waits.
      await expect.poll(() => statusOf(next, hanging)).toBe('Running')
      expect(await statusOf(next, queued)).toBe('Queued')
      next.process.kill('SIGKILL')
      await exited(next.process)
    }

    const third = await start(home)
    await expect.poll(() => statusOf(third, queued)).toBe('Succeeded')
    expect(await get(third, `/convert/job/${stepped}`)).toMatchObject({
      status: 'Succeeded',
      output: { fileName: 'a.out' },
    })
    expect(await get(third, `/convert/job/${hanging}`)).toMatchObject({
      status: 'Failed',
      error: { code: 'jobs.interrupted' },
      output: null,
    })
    expect((await get(third, '/convert/entitlements/me')).totalCredits).toBe(497)
    // What was submitted is deleted a moment after the job has ended.
    await expect.poll(() => jobsWithContents(home)).toEqual(expect.arrayContaining([queued, stepped]))
    await expect.poll(() => readdir(join(home, 'scratch'))).toEqual([])
  },
)

testFull(
  'a job that is killed in its second step begins anew, is charged once, and leaves nothing',
  async () => {
    const home = await newHome()
    const workers = join(home, 'workers')
    /** Where the second step has begun; undefined while it has not. */
    const begun = async () =>
      (await readdir(workers, { recursive: true })).find(name => /step-2[\\/]begun$/.test(name))
    const first = await start(home)
    const steps = JSON.stringify([{ targetFormat: 'webp' }, { targetFormat: 'png' }])
    const id = await submit(first, 'then begin', steps)
    await expect.poll(begun, { timeout: 20_000 }).toBeDefined()
    first.process.kill('SIGKILL')
    await exited(first.process)
    await rm(join(workers, String(await begun())))

    const second = await start(home)
    await expect.poll(begun, { timeout: 20_000 }).toBeDefined()
    await writeFile(join(workers, String(await begun()).replace(/begun$/, 'go')), '')
    await expect.poll(() => statusOf(second, id), { timeout: 20_000 }).toBe('Succeeded')
    expect((await get(second, '/convert/entitlements/me')).totalCredits).toBe(498)
    await expect.poll(() => readdir(join(home, 'scratch'))).toEqual([])
    // The output alone: neither what was submitted, nor what the first step made.
    await expect.poll(async () => (await contentsOf(home)).length).toBe(1)
  },
)

testFull('clean stops are no interruptions: a long job outlives any number of them', async () => {
  const home = await newHome()
  let service = await start(home)
  const id = await submit(service, 'begin')
  for (let stop = 0; stop < 3; stop++) {
    await expect.poll(async () => readdir(await folderOf(home, id)).catch(() => [])).toContain('begun')
    service.process.kill('SIGTERM')
    await exited(service.process)
    service = await start(home)
  }
  await expect.poll(async () => readdir(await folderOf(home, id)).catch(() => [])).toContain('begun')
  await writeFile(join(await folderOf(home, id), 'go'), '')
  await expect.poll(() => statusOf(service, id)).toBe('Succeeded')
})

if (process.platform !== 'win32')
  testFull(
    'a job that breaks the service itself is given up, however cleanly the service stops after that',
    async () => {
      const home = await newHome()
      let service = await start(home)
      const id = await submit(service, 'hang')
      for (let crash = 1; crash <= 2; crash++) {
        await expect.poll(() => statusOf(service, id)).toBe('Running')
        service.process.kill('SIGUSR2')
        await exited(service.process)
        expect(service.process.exitCode).toBe(1)
        service = await start(home)
      }
      expect(await get(service, `/convert/job/${id}`)).toMatchObject({
        status: 'Failed',
        error: { code: 'jobs.interrupted' },
      })
      expect((await get(service, '/convert/entitlements/me')).totalCredits).toBe(500)
    },
  )

/** Id of the program that a job's worker has started, once it is recorded in its folder. */
async function programOf(home: string, id: string): Promise<number> {
  const read = async () => readFile(join(await folderOf(home, id), 'program'), 'utf8').catch(() => '')
  await expect.poll(read).toMatch(/^\d+$/)
  return Number(await read())
}

if (isFull)
  test.each(['SIGKILL', 'SIGHUP'] as const)(
    'nothing that a service has started survives its %s',
    async signal => {
      const home = await newHome()
      const service = await start(home, 3)
      const ids = await Promise.all(
        ['hang', 'hang-natively', 'wait-for-program'].map(behaviour => submit(service, behaviour)),
      )
      const program = await programOf(home, ids[2] ?? '')
      for (const id of ids) await expect.poll(() => statusOf(service, id)).toBe('Running')
      const workers = await workersOf(service.process, 3)
      expect(workers).toHaveLength(3)
      // A job counts as running while its worker may still be starting.
      await delay(300)
      service.process.kill(signal)
      await exited(service.process)
      await expect.poll(() => [...workers, program].filter(isAlive)).toEqual([])
    },
  )

if (process.platform === 'linux')
  testFull(
    'a service that was suspended and resumes uses what its workers did meanwhile; a suspended worker resumes too',
    async () => {
      const home = await newHome()
      const service = await start(home, 2)
      const filesOf = async (id: string) => readdir(await folderOf(home, id)).catch(() => [])
      const goOn = async (id: string) => writeFile(join(await folderOf(home, id), 'go'), '')
      const id = await submit(service, 'begin')
      await expect.poll(() => filesOf(id)).toContain('begun')
      service.process.kill('SIGSTOP')
      await goOn(id)
      await expect.poll(() => filesOf(id)).toContain('output')
      service.process.kill('SIGCONT')
      await expect.poll(() => statusOf(service, id)).toBe('Succeeded')

      const second = await submit(service, 'begin')
      await expect.poll(() => filesOf(second)).toContain('begun')
      const workers = await workersOf(service.process)
      for (const pid of workers) process.kill(pid, 'SIGSTOP')
      const third = await submit(service, 'fine')
      // While one is suspended, others are converted.
      await expect.poll(() => statusOf(service, third)).toBe('Succeeded')
      expect(await statusOf(service, second)).toBe('Running')
      await goOn(second)
      for (const pid of workers) process.kill(pid, 'SIGCONT')
      await expect.poll(() => statusOf(service, second)).toBe('Succeeded')
      // A suspended process is killed like a running one.
      const fourth = await submit(service, 'sleep')
      await expect.poll(() => statusOf(service, fourth)).toBe('Running')
      const suspended = await workersOf(service.process)
      for (const pid of suspended) process.kill(pid, 'SIGSTOP')
      // Those that are idle would not notice the end of their service.
      onTestFinished(() => {
        for (const pid of suspended.filter(isAlive)) process.kill(pid, 'SIGKILL')
      })
      const headers = { 'x-service-api-key': service.apiKey }
      await fetch(`${service.url}/convert/job/${fourth}/cancel`, { method: 'POST', headers })
      expect(await statusOf(service, fourth)).toBe('Canceled')
      await expect.poll(() => jobsWithContents(home)).not.toContain(fourth)
      expect((await get(service, '/convert/entitlements/me')).totalCredits).toBe(497)
    },
  )

testFull(
  'a second service with the same data folder is refused; SIGTERM stops the first while a job hangs, which continues at the next start',
  async () => {
    const home = await newHome()
    const service = await start(home)
    const { environment } = await storesFor(home)
    const env = { ...process.env, ...environment }
    const second = spawn(process.execPath, [main, home], { stdio: ['ignore', 'ignore', 'pipe'], env })
    let printed = ''
    second.stderr.on('data', chunk => {
      printed += chunk
    })
    await exited(second)
    expect(second.exitCode).not.toBe(0)
    expect(printed).toContain('already running')

    const id = await submit(service, 'sleep')
    await expect.poll(() => statusOf(service, id)).toBe('Running')
    const workers = await workersOf(service.process)
    service.process.kill('SIGTERM')
    await exited(service.process)
    expect(service.process.exitCode).toBe(0)
    await expect.poll(() => workers.filter(isAlive)).toEqual([])
    const again = await start(home)
    await expect.poll(() => statusOf(again, id)).toBe('Running')
  },
)
