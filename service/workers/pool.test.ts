import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type PoolSettings, type RunOptions, WorkerPool } from './pool.ts'
import { spawnNode } from './spawn.ts'

const entry = join(import.meta.dirname, '..', 'test', 'misbehaving-worker.ts')

function pool(settings: Partial<PoolSettings> = {}): WorkerPool {
  const created = new WorkerPool(spawnNode, {
    entry,
    env: { PATH: process.env.PATH ?? '' },
    size: 2,
    ...settings,
  })
  onTestFinished(() => created.close())
  return created
}

async function run(target: WorkerPool, behaviour: string, options: Partial<RunOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'refile-pool-'))
  const path = join(folder, 'input')
  await writeFile(path, behaviour)
  const input = { path, name: 'a.jpg', stem: 'a', bytes: 1, format: 'jpg' }
  return target.run(
    'convert',
    { job: 'image.jpg-to-webp', input, options: {}, folder, cores: 1 },
    { timeout: 20_000, folder, ...options },
  )
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const gone = async (pid: number) => {
  const started = Date.now()
  while (isAlive(pid) && Date.now() - started < 2000) await new Promise(resolve => setTimeout(resolve, 5))
  return !isAlive(pid)
}

test('a warm process does one task after another', async () => {
  const target = pool()
  await run(target, 'fine')
  const [first] = target.pids
  await run(target, 'fine')
  expect(target.pids).toEqual([first])
})

test('tasks beyond the size wait for their turn', async () => {
  const target = pool({ size: 2 })
  const started = Date.now()
  await Promise.all(['fine 200', 'fine 200', 'fine 200', 'fine 200'].map(behaviour => run(target, behaviour)))
  expect(Date.now() - started).toBeGreaterThan(390)
  expect(target.pids.length).toBe(2)
})

test.each(['segfault', 'abort', 'exit', 'heap-overflow'])(
  '%s fails that task only',
  async behaviour => {
    const target = pool({ size: 1 })
    await expect(run(target, behaviour)).rejects.toMatchObject({ code: 'jobs.engine_crashed' })
    await expect(run(target, 'fine')).resolves.toMatchObject({ fileName: 'a.out' })
  },
  120_000,
)

test('a task that hangs is stopped at its deadline, process and all', async () => {
  const target = pool({ size: 1 })
  await run(target, 'fine')
  const [pid = 0] = target.pids
  const started = Date.now()
  await expect(run(target, 'hang', { timeout: 400 })).rejects.toMatchObject({ code: 'jobs.timeout' })
  expect(Date.now() - started).toBeLessThan(1500)
  expect(await gone(pid)).toBe(true)
})

test('the deadline holds during a cold start', async () => {
  const target = pool({ size: 1 })
  await expect(run(target, 'fine', { timeout: 1 })).rejects.toMatchObject({ code: 'jobs.timeout' })
})

test('an abort kills the process and every program it started', async () => {
  const target = pool({ size: 1 })
  const abort = new AbortController()
  let program = 0
  const task = run(target, 'start-program', {
    signal: abort.signal,
    onWarning: message => {
      program = Number(message.split(' ')[1])
      abort.abort(new Error('canceled'))
    },
  })
  await expect(task).rejects.toThrow('canceled')
  expect(program).toBeGreaterThan(0)
  expect(await gone(program)).toBe(true)
  expect(target.pids).toEqual([])
})

test('a process that crashes takes the programs it started along', async () => {
  const target = pool({ size: 1 })
  let program = 0
  const task = run(target, 'start-program', {
    onWarning: message => {
      program = Number(message.split(' ')[1])
      process.kill(target.pids[0] ?? 0, 'SIGSEGV')
    },
  })
  await expect(task).rejects.toMatchObject({ code: 'jobs.engine_crashed' })
  expect(await gone(program)).toBe(true)
})

test('an abort while waiting for a place leaves the queue in order', async () => {
  const target = pool({ size: 1 })
  const abort = new AbortController()
  const first = run(target, 'fine 300')
  await expect.poll(() => target.pids.length).toBe(1)
  const waiting = run(target, 'fine', { signal: abort.signal })
  const last = run(target, 'fine')
  setTimeout(() => abort.abort(new Error('canceled')), 50)
  await expect(waiting).rejects.toThrow('canceled')
  await expect(Promise.all([first, last])).resolves.toHaveLength(2)
})

test('a task that takes too much memory is stopped', async () => {
  const target = pool({ size: 1, memory: 300 * 2 ** 20 })
  await expect(run(target, 'memory-flood')).rejects.toMatchObject({ code: 'jobs.too_large' })
  expect(target.pids).toEqual([])
})

test('a task that writes too much is stopped', async () => {
  const target = pool({ size: 1 })
  await expect(run(target, 'output-flood', { maxOutput: 2 ** 25 })).rejects.toMatchObject({
    code: 'jobs.output_too_large',
  })
})

test('after an unforeseen error the process is replaced and the error logged', async () => {
  const logged: string[] = []
  const target = pool({ size: 1, onUnforeseen: log => logged.push(log) })
  await expect(run(target, 'throw')).rejects.toMatchObject({ code: 'jobs.engine_crashed' })
  expect(logged).toEqual(['Error: unforeseen'])
  expect(target.pids).toEqual([])
})

test('a process is replaced after its share of tasks', async () => {
  const target = pool({ size: 1, tasksPerWorker: 2 })
  await run(target, 'fine')
  const [first] = target.pids
  await run(target, 'fine')
  await run(target, 'fine')
  expect(target.pids).not.toContain(first)
})

test('an idle process retires', async () => {
  const target = pool({ size: 1, idle: 100 })
  await run(target, 'fine')
  const [pid = 0] = target.pids
  expect(await gone(pid)).toBe(true)
  expect(target.pids).toEqual([])
})

test('closing fails what runs and what waits', async () => {
  const target = pool({ size: 1 })
  const running = run(target, 'sleep')
  await expect.poll(() => target.pids.length).toBe(1)
  const waiting = run(target, 'fine')
  setTimeout(() => target.close(), 200)
  const settled = await Promise.allSettled([running, waiting])
  expect(settled.map(result => result.status)).toEqual(['rejected', 'rejected'])
})
