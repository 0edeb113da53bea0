import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { json } from '../../../testing/service.ts'
import type { Batch, Page } from '../../web/app/types.ts'

const main = join(import.meta.dirname, '../../../testing', 'misbehaving-service.ts')

/** The service in a process of its own, so that it can be killed, and its page. */
async function start(home: string) {
  const child = spawn(process.execPath, [main, home, '4'], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', chunk => resolve(String(chunk)))
    child.once('exit', code => reject(new Error(`the service ended with ${code}`)))
  })
  return { process: child, app: await openApp(JSON.parse(line)) }
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const exited = new Promise(resolve => child.once('exit', resolve))
  child.kill(signal)
  await exited
}

async function newHome(): Promise<{ home: string; results: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-batches-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [home, results] = [join(folder, 'home'), join(folder, 'results')]
  await mkdir(results)
  return { home, results }
}

const files = (count: number, behaviour: string) =>
  Array.from({ length: count }, (_, index) => [`${index}.jpg`, `${behaviour} ${index}`] as const)

const balance = async (app: Awaited<ReturnType<typeof openApp>>) =>
  (await json<{ balance: number }>(app.call('/app/session'))).balance

test('killed again and again, a batch loses no file, converts none twice and saves none twice', async () => {
  const { home, results } = await newHome()
  const first = await start(home)
  const count = 40
  const fileIds = await first.app.stage(files(count, 'fine 30'))
  const destination = { kind: 'folder', path: results, name: '{name}.{ext}' } as const
  const { id } = await first.app.createBatch({ fileIds, targetFormat: 'webp', destination })
  await end(first.process, 'SIGKILL')
  for (let round = 0; round < 6; round++) {
    const service = await start(home)
    await new Promise(resolve => setTimeout(resolve, round * 90))
    await end(service.process, 'SIGKILL')
  }
  const last = await start(home)
  const done = await last.app.batchIs(id, 'done', 60_000)
  // A job that was hit by two kills is given up, like any other.
  const { succeeded, failed } = done.counts
  expect(succeeded + failed).toBe(count)
  expect(succeeded).toBeGreaterThan(count / 2)
  const items = await last.app.items(id)
  const saved = items.flatMap(item => (item.state === 'succeeded' ? basename(item.savedTo ?? '') : []))
  expect(saved).toEqual(
    items.flatMap(item => (item.state === 'succeeded' ? item.name.replace('.jpg', '.out') : [])),
  )
  expect((await readdir(results)).toSorted()).toEqual(saved.toSorted())
  for (const name of saved) expect(await readFile(join(results, name), 'utf8')).toMatch(/^fine/)
  const jobs = await json<Page<unknown>>(last.app.call('/app/jobs?limit=200'))
  expect(jobs.items).toHaveLength(count)
  expect(await balance(last.app)).toBe(500 - succeeded)
  expect(done.creditCost).toBe(succeeded)
}, 180_000)

test('a batch continues after a restart, a paused one stays paused, and a canceled one stays canceled', async () => {
  const { home } = await newHome()
  const first = await start(home)
  const make = async (count: number, behaviour: string) =>
    first.app.createBatch({ fileIds: await first.app.stage(files(count, behaviour)), targetFormat: 'webp' })
  // More files than a batch may queue at once, so that the others wait.
  const canceled = await make(14, 'sleep')
  const paused = await make(5, 'fine')
  const active = await make(5, 'fine')
  await first.app.post(`/app/batches/${paused.id}/pause`, {})
  await expect.poll(async () => (await first.app.batch(canceled.id))?.counts.running).toBe(4)
  // Killed in the middle of canceling, at an arbitrary point.
  void first.app.post(`/app/batches/${canceled.id}/cancel`, {}).catch(() => {})
  await expect.poll(async () => (await first.app.batch(canceled.id))?.state).toBe('canceled')
  await end(first.process, 'SIGKILL')

  const second = await start(home)
  expect(await second.app.batchIs(active.id, 'done')).toMatchObject({ counts: { succeeded: 5 } })
  const list = await json<Batch[]>(second.app.call('/app/batches'))
  expect(list.map(({ id, state }) => [id, state])).toEqual([
    [paused.id, 'paused'],
    [active.id, 'done'],
    [canceled.id, 'canceled'],
  ])
  expect(list[2]?.counts).toMatchObject({ canceled: 14, queued: 0, running: 0 })
  expect(list[0]?.counts).toMatchObject({ waiting: 5 })
  expect(await balance(second.app)).toBe(495)
  await end(second.process, 'SIGTERM')
  expect(second.process.exitCode).toBe(0)
})
