/** What previews do around the worker that makes them; the worker itself is a double here. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { WorkerPool } from '../../sandbox/workers/pool.ts'
import { JobFailure } from '../../shared/errors.ts'
import { FileChangedError } from '../../store/interfaces/source.ts'
import { PreviewCache } from './cache.ts'
import { Previews } from './previews.ts'
import type { Viewed } from './viewed.ts'

type Task = (request: { folder: string; shown?: string }) => unknown

async function setUp(work: Task) {
  const home = await mkdtemp(join(tmpdir(), 'refile-previews-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const cache = new PreviewCache(join(home, 'cache'), 1e6, error => {
    throw error
  })
  await cache.start()
  const asked: string[] = []
  const run = async (kind: string, request: Parameters<Task>[0]) => {
    asked.push(kind)
    return await work(request)
  }
  const scratch = join(home, 'scratch')
  const folder = (path: string) => rm(path, { recursive: true, force: true })
  const previews = new Previews({
    pool: { run } as unknown as WorkerPool,
    cleanup: { folder } as never,
    cache,
    scratch,
  })
  const file: Viewed = {
    ...{ id: 'f', key: 'staged:f', name: 'a.png', bytes: 3, format: 'png', probe: undefined },
    checkout: async () => ({ path: join(home, 'a.png'), [Symbol.asyncDispose]: async () => {} }) as never,
    open: () => Promise.reject(new Error('not read')),
  }
  return { previews, file, asked, left: () => readdir(scratch).catch(() => []) }
}

const waiting = () => new AbortController().signal

test('a thumbnail is made once, also for several that ask at once, and leaves no temporary file', async () => {
  const { previews, file, asked, left } = await setUp(async ({ folder }) => {
    await writeFile(join(folder, '96.webp'), 'x')
    return true
  })
  const both = await Promise.all([1, 2].map(() => previews.thumbnail(file, 'me', waiting())))
  const later = await previews.thumbnail(file, 'me', waiting())
  expect(asked).toEqual(['thumbnail'])
  expect(both[0]).toMatchObject({ facts: true, files: ['96.webp'] })
  expect([both[1]?.id, later?.id]).toEqual([both[0]?.id, both[0]?.id])
  expect(previews.pathOf(both[0]!.id, '96.webp', 'me')).toBeDefined()
  expect(previews.pathOf(both[0]!.id, '96.webp', 'somebody')).toBeUndefined()
  expect(await left()).toEqual([])
})

test('a file of no known format has no thumbnail, and no worker is asked', async () => {
  const { previews, file, asked } = await setUp(() => true)
  expect(await previews.thumbnail({ ...file, format: null }, 'me', waiting())).toMatchObject({ facts: false })
  expect(asked).toEqual([])
})

test.each([
  ['a file that cannot be read', () => new JobFailure('jobs.corrupt_input'), 'jobs.corrupt_input'],
  ['one that takes too long', () => new JobFailure('jobs.timeout'), 'jobs.timeout'],
])('%s has a reason instead of a comparison, which is kept', async (_, failure, code) => {
  const { previews, file, asked, left } = await setUp(() => {
    throw failure()
  })
  for (let times = 0; times < 2; times++) {
    const { facts } = await previews.show(file, null, 'me', waiting())
    expect(facts).toMatchObject({ before: null, problem: { code, reason: expect.anything() } })
  }
  expect(asked).toEqual(['preview'])
  expect(await left()).toEqual([])
})

test('a file that changed since is called changed', async () => {
  const { previews, file, asked } = await setUp(() => ({}))
  const changed = { ...file, checkout: () => Promise.reject(new FileChangedError('a.png')) }
  const { facts } = await previews.show(changed, null, 'me', waiting())
  expect(facts.problem).toMatchObject({ code: 'jobs.corrupt_input', reason: { key: 'input.changed' } })
  expect(asked).toEqual([])
})

test('a worker that was stopped with the service says nothing about the file: nothing is kept', async () => {
  const { previews, file, asked, left } = await setUp(() => {
    throw new JobFailure('jobs.interrupted')
  })
  for (let times = 0; times < 2; times++)
    await expect(previews.show(file, null, 'me', waiting())).rejects.toMatchObject({
      code: 'jobs.interrupted',
    })
  expect(asked).toEqual(['preview', 'preview'])
  expect(await left()).toEqual([])
})

test('who no longer waits for a thumbnail gets none', async () => {
  const worker = Promise.withResolvers<boolean>()
  const { previews, file, asked, left } = await setUp(() => worker.promise)
  const abort = new AbortController()
  const answer = previews.thumbnail(file, 'me', abort.signal)
  await expect.poll(() => asked).toEqual(['thumbnail'])
  abort.abort()
  expect(await answer).toBeUndefined()
  worker.resolve(true)
  await expect.poll(left).toEqual([])
})
