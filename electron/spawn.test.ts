import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { guard, unguard } from '../service/sandbox/workers/guardian.ts'
import type { Exit, WorkerProcess } from '../service/sandbox/workers/spawn.ts'
import { testFull } from '../testing/describe-full.ts'
import { isAlive } from '../testing/servers/is-alive.ts'
import { spawnUtility } from './spawn.ts'
import { eventually } from './test/eventually.ts'
import { app, fake } from './test/fake-electron.ts'

vi.mock('../service/sandbox/workers/guardian.ts', { spy: true })

const entry = join(import.meta.dirname, 'test', 'worker.ts')
const started: Worker[] = []

class Worker {
  readonly process: WorkerProcess
  readonly messages: unknown[] = []
  exit: Exit | undefined

  constructor(env: Record<string, string> = { REFILE_TEST: '1' }) {
    this.process = spawnUtility(entry, env)
    this.process.onMessage(message => this.messages.push(message))
    this.process.onExit(exit => {
      this.exit = exit
    })
    started.push(this)
  }

  async ready(): Promise<this> {
    await eventually(() => expect(this.messages.shift()).toBe('ready'))
    return this
  }

  async ask<T>(question: string): Promise<T> {
    this.process.post(question)
    return eventually(() => {
      expect(this.messages).toHaveLength(1)
      return this.messages.shift() as T
    })
  }

  async ended(): Promise<void> {
    await eventually(() => expect(this.exit).toBeDefined())
  }
}

beforeAll(() => app.whenReady())

afterEach(() => {
  for (const worker of started.splice(0)) void worker.process.kill()
})

test('gives the worker exactly its environment', async () => {
  const worker = await new Worker({ REFILE_TEST: '1', PATH: process.env.PATH ?? '' }).ready()
  const environment = await worker.ask<Record<string, string>>('environment')
  expect(environment.REFILE_TEST).toBe('1')
  expect(environment).not.toHaveProperty('HOME')
  expect(worker.process.pid).toBeGreaterThan(0)
})

testFull('limits its heap', async () => {
  const worker = await new Worker().ready()
  const limit = await worker.ask<number>('heap')
  expect(limit).toBeGreaterThan(2000 * 2 ** 20)
  expect(limit).toBeLessThan(2400 * 2 ** 20)
})

testFull('keeps the last output on stderr, and drops the rest', async () => {
  const worker = await new Worker().ready()
  worker.process.post('print')
  await worker.ended()
  await worker.process.kill()
  expect(worker.process.printed()).toBe('the last words')
  expect(fake.forks.at(-1)?.options.stdio).toEqual(['ignore', 'ignore', 'pipe'])
})

testFull('reports its exit', async () => {
  const worker = await new Worker().ready()
  worker.process.post('exit')
  await worker.ended()
  expect(worker.exit).toEqual({ code: 3, signal: null })
})

test('kills a busy worker together with the program it started', async () => {
  const worker = await new Worker().ready()
  const program = await worker.ask<number>('hang')
  const pid = worker.process.pid!
  expect(isAlive(program)).toBe(true)
  await new Promise(resolve => setTimeout(resolve, 200))
  await worker.process.kill()
  expect([pid, program].filter(isAlive)).toEqual([])
  // Had the app ended instead, the guardian would have killed it.
  expect([vi.mocked(guard).mock.calls, vi.mocked(unguard).mock.calls]).toEqual([
    expect.arrayContaining([[pid]]),
    expect.arrayContaining([[pid]]),
  ])
  await worker.ended()
})

test('kills a worker that is still starting', async () => {
  const worker = new Worker()
  expect(worker.process.pid).toBeUndefined()
  await worker.process.kill()
  await worker.ended()
  expect(worker.messages).toEqual([])
})

test.runIf(process.platform === 'linux')(
  'a worker of the service leads a group of its own, which ends with the app, and is confined to the allowed calls',
  async () => {
    const worker = spawnUtility(join(import.meta.dirname, '../service/sandbox/workers/entry.ts'), {
      PATH: process.env.PATH ?? '',
    })
    onTestFinished(() => worker.kill())
    const ready = await new Promise(resolve => worker.onMessage(resolve))
    expect(ready).toMatchObject({ type: 'ready', confinement: { systemCalls: true } })
    const stat = readFileSync(`/proc/${worker.pid}/stat`, 'utf8')
    const [, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    expect(Number(group)).toBe(worker.pid)
  },
)

testFull('killing one that has ended does nothing', async () => {
  const worker = await new Worker().ready()
  worker.process.post('exit')
  await worker.ended()
  await expect(worker.process.kill()).resolves.toBeUndefined()
})
