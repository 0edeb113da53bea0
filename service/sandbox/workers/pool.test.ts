import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { few } from '../../../testing/fixtures/full.ts'
import { spawnForTests } from '../../../testing/servers/hosts/spawn.ts'
import { isAlive } from '../../../testing/servers/is-alive.ts'
import { engines } from '../../convert/catalogue/engines.ts'
import { render } from '../../shared/messages/render.ts'
import { type PoolSettings, type RunOptions, WorkerPool } from './pool.ts'
import { killGroup } from './process-tree.ts'
import { type Spawn, spawnNode } from './spawn.ts'

const entry = join(import.meta.dirname, '../../../testing', 'misbehaving-worker.ts')

function pool(
  { size = 2, ...settings }: Partial<PoolSettings> & { size?: number } = {},
  spawn = spawnForTests,
) {
  const created = new WorkerPool(spawn, {
    entry,
    env: { PATH: process.env.PATH ?? '' },
    places: { convert: size, measure: size },
    memoryBudgetBytes: Number.POSITIVE_INFINITY,
    ...settings,
  })
  onTestFinished(() => created.close())
  return created
}

async function run(target: WorkerPool, behaviour: string, options: Partial<RunOptions> = {}) {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'refile-pool-')))
  const path = join(folder, 'input')
  await writeFile(path, behaviour)
  const input = { path, name: 'a.jpg', stem: 'a', bytes: 1, format: 'jpg' }
  return target.run(
    'convert',
    { job: 'image.jpg-to-webp', input, options: {}, folder, cores: 1 },
    { engine: engines.pixels, queue: 'measure', timeoutMs: 100_000, folder, ...options },
  )
}

function recorder() {
  const entries: object[] = []
  const write = (fields: object) => void entries.push(fields)
  return { entries, log: { error: write, warn: write } }
}

test('a warm process runs one task after another', async () => {
  const target = pool()
  await run(target, 'fine')
  const [first] = target.pids
  await run(target, 'fine')
  expect(target.pids).toEqual([first])
})

testFull("tasks beyond the pool's size wait for their turn", async () => {
  const target = pool({ size: 2 })
  const started = Date.now()
  await Promise.all(['fine 200', 'fine 200', 'fine 200', 'fine 200'].map(behaviour => run(target, behaviour)))
  expect(Date.now() - started).toBeGreaterThan(390)
  expect(target.pids.length).toBe(2)
})

test.each(
  few(1, [
    ['segfault', 'jobs.engine_crashed'],
    ['abort', 'jobs.engine_crashed'],
    ['exit', 'jobs.engine_crashed'],
    ['heap-overflow', 'jobs.too_large'],
    ['no-such-behaviour', 'jobs.engine_crashed'],
  ]),
)(
  '%s fails only that task, with %s',
  async (behaviour, code) => {
    const target = pool({ size: 1 })
    await expect(run(target, behaviour)).rejects.toMatchObject({ code })
    await expect(run(target, 'fine')).resolves.toMatchObject({ fileName: 'a.out' })
  },
  120_000,
)

test('a task that hangs is stopped at its deadline, together with its process', async () => {
  const target = pool({ size: 1 })
  await run(target, 'fine')
  const [pid = 0] = target.pids
  await expect(run(target, 'hang', { timeoutMs: 400 })).rejects.toMatchObject({ code: 'jobs.timeout' })
  expect(isAlive(pid)).toBe(false)
})

testFull('a task that waits for something that never comes is stopped too', async () => {
  const target = pool({ size: 1 })
  await run(target, 'fine')
  const hung = run(target, 'hang-natively', { timeoutMs: 400 })
  await expect(hung).rejects.toMatchObject({ code: 'jobs.timeout' })
})

test('a limit by the clock ends a task that has processor time left', async () => {
  const target = pool({ size: 1 })
  const busy = run(target, 'hang', { timeoutMs: 600_000, wallMs: 400 })
  await expect(busy).rejects.toMatchObject({ code: 'jobs.timeout' })
})

test('the deadline includes a cold start', async () => {
  const target = pool({ size: 1 })
  await expect(run(target, 'fine', { timeoutMs: 1 })).rejects.toMatchObject({ code: 'jobs.timeout' })
})

test('an abort kills the process and every program it started', async () => {
  const target = pool({ size: 1 })
  const abort = new AbortController()
  let program = 0
  const task = run(target, 'start-program', {
    signal: abort.signal,
    onWarning: warning => {
      program = Number(render(warning))
      abort.abort(new Error('canceled'))
    },
  })
  await expect(task).rejects.toThrow('canceled')
  expect(program).toBeGreaterThan(0)
  expect(isAlive(program)).toBe(false)
  expect(target.pids).toEqual([])
})

test('when a process crashes, the programs it started are killed', async () => {
  const target = pool({ size: 1 })
  let program = 0
  const task = run(target, 'start-program', {
    onWarning: warning => {
      program = Number(render(warning))
      process.kill(target.pids[0] ?? 0, 'SIGSEGV')
    },
  })
  await expect(task).rejects.toMatchObject({ code: 'jobs.engine_crashed' })
  expect(isAlive(program)).toBe(false)
})

testFull('a task ends only when nothing it started can still write into its folder', async () => {
  const target = pool({ size: 1 })
  const folder = await mkdtemp(join(tmpdir(), 'refile-pool-'))
  const abort = new AbortController()
  let program = 0
  const task = run(target, 'start-writer', {
    folder,
    signal: abort.signal,
    onWarning: warning => {
      program = Number(render(warning))
    },
  })
  const written = expect.poll(() => readdir(folder)).toContain('written-10')
  void written.finally(() => abort.abort(new Error('canceled')))
  await expect(task).rejects.toThrow('canceled')
  await written
  expect(isAlive(program)).toBe(false)
  await rm(folder, { recursive: true })
  await setTimeout(50)
  expect(existsSync(folder)).toBe(false)
})

test('a zombie process counts as gone', async () => {
  // It leads a group, has a dead orphan and never reaps anything.
  const group = spawn('sh', ['-c', 'sh -c "sleep 0" & exec sleep 300'], { detached: true, stdio: 'ignore' })
  const zombies = async () => (await readFile(`/proc/${group.pid}/task/${group.pid}/children`, 'utf8')).trim()
  await expect.poll(zombies).not.toBe('')
  await killGroup(group.pid ?? 0)
  expect(isAlive(group.pid ?? 0)).toBe(false)
})

testFull('a process that cannot be started fails its task and leaves nothing behind', async () => {
  const { log, entries } = recorder()
  const failsLater: Spawn = (entry, env) => {
    const real = process.execPath
    process.execPath = '/nowhere/node'
    try {
      return spawnNode(entry, env)
    } finally {
      process.execPath = real
    }
  }
  const failsAtOnce: Spawn = () => {
    throw Object.assign(new Error('spawn EAGAIN'), { code: 'EAGAIN' })
  }
  for (const spawn of [failsLater, failsAtOnce]) {
    // With folders of its own, the process may be gone before a task has been moved in.
    for (const settings of [{}, { folders: await mkdtemp(join(tmpdir(), 'refile-pool-')) }]) {
      const target = pool({ size: 1, log, ...settings }, spawn)
      await expect(run(target, 'fine')).rejects.toMatchObject({
        code: 'jobs.engine_crashed',
        reason: { key: 'workers.not_started' },
      })
      expect(target.size).toBe(0)
      await expect(run(target, 'fine')).rejects.toMatchObject({ code: 'jobs.engine_crashed' })
    }
  }
  expect(inspect(entries)).toContain('ENOENT')
  expect(inspect(entries)).toContain('EAGAIN')
})

testFull('the last output of a dead process is logged', async () => {
  const { log, entries } = recorder()
  const target = pool({ size: 1, log })
  await expect(run(target, 'say-and-die')).rejects.toMatchObject({ code: 'jobs.engine_crashed' })
  expect(entries).toEqual([
    expect.objectContaining({
      kind: 'convert',
      job: 'image.jpg-to-webp',
      signal: 'SIGKILL',
      printed: expect.stringMatching(/x\nthe last words$/),
    }),
  ])
  expect(JSON.stringify(entries).length).toBeLessThan(10_000)
})

test('the cause of a failure is logged, and the process is kept', async () => {
  const { log, entries } = recorder()
  const target = pool({ size: 1, log })
  await expect(run(target, 'fail-with-cause')).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  expect(entries).toEqual([expect.objectContaining({ error: expect.stringContaining('bad magic number') })])
  expect(target.size).toBe(1)
})

testFull('aborting a task that waits leaves the queue in order', async () => {
  const target = pool({ size: 1 })
  const abort = new AbortController()
  const first = run(target, 'fine 300')
  await expect.poll(() => target.pids.length).toBe(1)
  const waiting = run(target, 'fine', { signal: abort.signal })
  const last = run(target, 'fine')
  abort.abort(new Error('canceled'))
  await expect(waiting).rejects.toThrow('canceled')
  await expect(Promise.all([first, last])).resolves.toHaveLength(2)
})

testFull('a task that uses too much memory is stopped', async () => {
  const target = pool({ size: 1, memoryLimitBytes: 300 * 2 ** 20 })
  await expect(run(target, 'memory-flood')).rejects.toMatchObject({ code: 'jobs.too_large' })
  expect(target.pids).toEqual([])
})

testFull('a task that writes too much is stopped', async () => {
  const target = pool({ size: 1 })
  await expect(run(target, 'output-flood', { maxOutputBytes: 2 ** 25 })).rejects.toMatchObject({
    code: 'jobs.output_too_large',
  })
})

test('after an unexpected error, the process is replaced and the error is logged with its causes', async () => {
  const { log, entries } = recorder()
  const target = pool({ size: 1, log })
  await expect(run(target, 'throw')).rejects.toMatchObject({ code: 'jobs.engine_crashed' })
  expect(entries).toEqual([
    expect.objectContaining({
      error: expect.stringMatching(/unexpected.*the cause.*the root/s),
      printed: 'said before',
    }),
  ])
  expect(target.pids).toEqual([])
})

testFull('a process is replaced after a number of tasks', async () => {
  const target = pool({ size: 1, tasksPerWorker: 2 })
  await run(target, 'fine')
  const [first] = target.pids
  await run(target, 'fine')
  await expect.poll(() => target.pids).not.toContain(first)
})

test('an idle process is ended', async () => {
  const target = pool({ size: 1, idleMs: 100 })
  await run(target, 'fine')
  const [pid = 0] = target.pids
  await expect.poll(() => target.size).toBe(0)
  expect(isAlive(pid)).toBe(false)
})

test('closing fails running and waiting tasks', async () => {
  const target = pool({ size: 1 })
  const running = run(target, 'sleep')
  await expect.poll(() => target.pids.length).toBe(1)
  const waiting = run(target, 'fine')
  const [settled] = await Promise.all([Promise.allSettled([running, waiting]), target.close()])
  expect(target.size).toBe(0)
  expect(settled.map(result => result.status)).toEqual(['rejected', 'rejected'])
})

test('a task whose input is just being staged starts no process in a closed pool', async () => {
  const target = pool({ size: 1, folders: await mkdtemp(join(tmpdir(), 'refile-pool-')) })
  const input = { path: import.meta.filename, name: 'a.jpg', stem: 'a', bytes: 1, format: 'jpg' }
  const measuring = target.run(
    'measure',
    { job: 'image.jpg-to-webp', input },
    { engine: engines.pixels, queue: 'measure', timeoutMs: 100_000 },
  )
  const [settled] = await Promise.all([Promise.allSettled([measuring]), target.close()])
  expect(settled).toMatchObject([{ status: 'rejected', reason: { code: 'jobs.interrupted' } }])
  expect(target.size).toBe(0)
})

testFull(
  'a rejection that nothing caught fails the task as crashed, also where the runtime would ignore it',
  async () => {
    const { entries, log } = recorder()
    const stray = `data:text/javascript,process.on('message',()=>{Promise.reject(Error('a%20stray'))})`
    const target = pool({
      size: 1,
      log,
      // The worker of the product.
      entry: join(import.meta.dirname, 'entry.ts'),
      // Electron ignores rejections.
      env: { PATH: process.env.PATH ?? '', NODE_OPTIONS: `--unhandled-rejections=warn --import=${stray}` },
    })
    await expect(run(target, 'fine')).rejects.toMatchObject({ code: 'jobs.engine_crashed' })
    expect(inspect(entries)).toContain('Error: a stray')
  },
)
