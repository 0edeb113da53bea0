import { expect, onTestFinished, test, vi } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import type { EngineDeclaration } from '../../convert/catalogue/engines.ts'
import type { Queue } from './admission.ts'
import { type PoolSettings, WorkerPool } from './pool.ts'
import type { ToWorker } from './protocol.ts'
import type { Exit, Spawn } from './spawn.ts'

const GiB = 2 ** 30

const engine = (name: string, memoryBytes: number, settings: Partial<EngineDeclaration> = {}) => ({
  name,
  memoryBytes,
  atOnce: 6,
  idleMs: 60_000,
  ...settings,
})
const small = engine('small', GiB / 2)
const speech = engine('speech', 3 * GiB, { atOnce: 1 })
const measuring = engine('measuring', GiB / 8, { atOnce: 2 })

/** A pool whose processes are plain objects and whose tasks end when the test says so. */
function pool(settings: Partial<PoolSettings> = {}, readyMs = 0) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const spawn: Spawn = () => {
    const { promise: exited, resolve: exit } = Promise.withResolvers<Exit>()
    let emit: (message: unknown) => void = () => {}
    return {
      pid: undefined,
      post: sent => {
        const { id, request } = sent as ToWorker<'measure'>
        started.push(request.job)
        ends.set(request.job, () => emit({ type: 'done', id, answer: { pages: 1 } }))
      },
      kill: async () => exit({ code: null, signal: 'SIGKILL' }),
      printed: () => '',
      onMessage: listener => {
        emit = listener
        if (readyMs === 0) queueMicrotask(() => listener({ type: 'ready' }))
        else setTimeout(() => listener({ type: 'ready' }), readyMs)
      },
      onExit: listener => void exited.then(listener),
    }
  }
  const created = new WorkerPool(spawn, {
    entry: '',
    env: {},
    places: { convert: 6, measure: 2 },
    cores: 6,
    memoryBudgetBytes: 4 * GiB,
    ...settings,
  })
  onTestFinished(() => created.close())
  const input = { path: '', name: '', stem: '', bytes: 0, format: '' }
  const run = (job: string, of: EngineDeclaration, queue: Queue = 'convert') => {
    const task = created.run('measure', { job, input }, { engine: of, queue, timeoutMs: 60_000 })
    task.catch(() => {})
    return task
  }
  return {
    pool: created,
    started,
    run,
    /** Lets everything run that can, then returns which tasks have started so far. */
    settle: async () => {
      await new Promise(resolve => setImmediate(resolve))
      return started
    },
    end: (job: string) => ends.get(job)?.(),
  }
}

test('an engine runs as many tasks as it allows, whatever the conversions are', async () => {
  const { run, settle, end } = pool({ memoryBudgetBytes: Number.POSITIVE_INFINITY })
  for (const target of ['txt', 'srt', 'vtt']) void run(target, speech)
  void run('png', small)
  expect(await settle()).toEqual(['txt', 'png'])
  end('txt')
  expect(await settle()).toEqual(['txt', 'png', 'srt'])
})

test('a lane runs no more tasks than it has places, in order', async () => {
  const { run, settle, end } = pool({ places: { convert: 2, measure: 1 } })
  for (const job of ['a', 'b', 'c', 'd']) void run(job, small)
  expect(await settle()).toEqual(['a', 'b'])
  end('b')
  expect(await settle()).toEqual(['a', 'b', 'c'])
  end('a')
  expect(await settle()).toEqual(['a', 'b', 'c', 'd'])
})

testFull(
  'where as many conversions run as there are cores, another waits for them rather than for a process of its own, for a while',
  async () => {
    const { run, settle, end, started, pool: target } = pool({ cores: 1 }, 300)
    const isRunning = (job: string) => vi.waitFor(() => expect(started).toContain(job), { timeout: 20_000 })
    void run('first', small)
    await isRunning('first')
    void run('soon', small)
    void run('other', speech)
    await settle()
    expect([started, target.size]).toEqual([['first'], 2])
    end('first')
    await isRunning('soon')
    await isRunning('other')
    expect(target.size).toBe(2)
    void run('late', small)
    await isRunning('late')
    expect(target.size).toBe(3)
  },
)

test('an idle process of a thumbnail or preview whose start was dear goes over to conversions', async () => {
  const { run, settle, end, pool: target } = pool({ memoryBudgetBytes: 100 * GiB })
  const office = engine('office', GiB, { compilesMuch: true, atOnce: 1 })
  const ended = async (job: string, of: EngineDeclaration, queue: Queue = 'convert') => {
    void run(job, of, queue)
    await settle()
    end(job)
    await settle()
  }
  await ended('thumbnail', office, 'thumbnail')
  await ended('preview', office, 'preview')
  await ended('conversion', office)
  expect(target.started).toBe(1)
  // Conversions keep it, and are lent none beyond what the engine allows.
  await ended('second thumbnail', office, 'thumbnail')
  expect(target.started).toBe(2)
  void run('second conversion', office)
  void run('third conversion', office)
  expect(await settle()).toContain('second conversion')
  expect(await settle()).not.toContain('third conversion')
  await ended('small preview', small, 'preview')
  await ended('small conversion', small)
  expect(target.started).toBe(4)
})

test('measuring and conversions do not wait for each other', async () => {
  const { run, settle } = pool({ places: { convert: 1, measure: 1 }, memoryBudgetBytes: GiB / 2 })
  void run('convert', small)
  void run('convert next', small)
  void run('measure', measuring, 'measure')
  void run('measure next', measuring, 'measure')
  expect(await settle()).toEqual(['convert', 'measure'])

  const measured = pool({ places: { convert: 1, measure: 1 } })
  void measured.run('measure', measuring, 'measure')
  void measured.run('measure next', measuring, 'measure')
  void measured.run('convert', small)
  expect(await measured.settle()).toEqual(['measure', 'convert'])
})

test('tasks run side by side as long as their engines fit into the memory budget', async () => {
  const { run, settle, end, pool: target } = pool({ memoryBudgetBytes: 4 * GiB })
  void run('speech', speech)
  for (const job of ['a', 'b', 'c']) void run(job, small)
  expect(await settle()).toEqual(['speech', 'a', 'b'])
  end('speech')
  // The idle process of the speech engine is ended to make room.
  expect(await settle()).toEqual(['speech', 'a', 'b', 'c'])
  expect(target.size).toBe(3)
})

test('a large task lets some small ones pass, then gets its turn', async () => {
  const { run, settle, end, started } = pool({ memoryBudgetBytes: 3 * GiB })
  void run('first', small)
  await settle()
  void run('large', speech)
  for (let index = 0; index < 30; index++) void run(`small ${index}`, small)
  for (let round = 0; round < 40 && !started.includes('large'); round++) {
    for (const job of await settle()) end(job)
  }
  const before = started.indexOf('large')
  expect(before).toBeGreaterThan(1)
  expect(before).toBeLessThan(20)
})

test('a task larger than the budget runs alone', async () => {
  const { run, settle, end } = pool({ memoryBudgetBytes: GiB })
  void run('a', small)
  void run('large', speech)
  expect(await settle()).toEqual(['a'])
  end('a')
  expect(await settle()).toEqual(['a', 'large'])
  void run('b', small)
  expect(await settle()).toEqual(['a', 'large'])
  end('large')
  expect(await settle()).toEqual(['a', 'large', 'b'])
})

test('each engine determines how long its idle processes are kept', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { run, settle, end, pool: target } = pool()
  void run('short', engine('short', 1, { idleMs: 1000 }))
  void run('long', engine('long', 1, { idleMs: 5000 }))
  for (const job of await settle()) end(job)
  await settle()
  vi.advanceTimersByTime(999)
  await settle()
  expect(target.size).toBe(2)
  vi.advanceTimersByTime(1)
  await settle()
  expect(target.size).toBe(1)
  vi.advanceTimersByTime(4000)
  await settle()
  expect(target.size).toBe(0)
})

test('processes are started one after another, so that the service can answer requests in between', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { run, settle } = pool({ startIntervalMs: 50 })
  for (const job of ['a', 'b', 'c']) void run(job, small)
  void run('measured', measuring, 'measure')
  expect((await settle()).toSorted()).toEqual(['a', 'measured'])
  vi.advanceTimersByTime(49)
  expect(await settle()).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(await settle()).toHaveLength(3)
  vi.advanceTimersByTime(50)
  expect(await settle()).toHaveLength(4)
})

test('thumbnails wait while conversions keep every core busy, and continue a moment after one has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { run, settle, end } = pool({ cores: 2 })
  for (const job of ['a', 'b']) void run(job, small)
  for (const job of ['thumb 1', 'thumb 2']) void run(job, measuring, 'thumbnail')
  expect(await settle()).toEqual(['a', 'b'])
  end('a')
  await settle()
  vi.advanceTimersByTime(250)
  expect(await settle()).toEqual(['a', 'b'])
  vi.advanceTimersByTime(100)
  expect(await settle()).toEqual(['a', 'b', 'thumb 1'])
  end('b')
  await settle()
  vi.advanceTimersByTime(350)
  expect(await settle()).toEqual(['a', 'b', 'thumb 1', 'thumb 2'])
})

test('thumbnails rest after each other while something is converted', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { run, settle, end } = pool({ cores: 4 })
  void run('a', small)
  for (const job of ['thumb 1', 'thumb 2']) void run(job, measuring, 'thumbnail')
  expect(await settle()).toEqual(['a', 'thumb 1'])
  vi.advanceTimersByTime(100)
  end('thumb 1')
  expect(await settle()).toEqual(['a', 'thumb 1'])
  vi.advanceTimersByTime(1800)
  expect(await settle()).toEqual(['a', 'thumb 1'])
  vi.advanceTimersByTime(100)
  expect(await settle()).toEqual(['a', 'thumb 1', 'thumb 2'])
})

test("a preview waits for memory, but no conversion waits for a preview's", async () => {
  const { run, settle, end } = pool({ memoryBudgetBytes: GiB })
  void run('preview', engine('office', GiB), 'preview')
  void run('a', small)
  expect(await settle()).toEqual(['preview', 'a'])
  end('preview')
  void run('again', engine('other', GiB), 'preview')
  expect(await settle()).toEqual(['preview', 'a'])
  end('a')
  expect(await settle()).toEqual(['preview', 'a', 'again'])
})

test('a task that is aborted while it waits does not start; one that has started is finished', async () => {
  const { pool: target, settle, end, started } = pool()
  const waiter = new AbortController()
  const input = { path: '', name: '', stem: '', bytes: 0, format: '' }
  const ask = (job: string) =>
    target.run(
      'measure',
      { job, input },
      { engine: small, queue: 'preview', timeoutMs: 60_000, waiting: waiter.signal },
    )
  const [first, second] = [ask('first'), ask('second')]
  await settle()
  waiter.abort(new Error('left'))
  await expect(second).rejects.toThrow('left')
  end('first')
  expect(await first).toEqual({ pages: 1 })
  expect(started).toEqual(['first'])
})
