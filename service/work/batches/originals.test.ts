import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { begun } from '../../../testing/begun.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import type { StagedFile } from '../../web/app/types.ts'
import { Originals, type OriginalsParts } from './originals.ts'

let place: string
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'refile-originals-'))
  onTestFinished(() => rm(place, { recursive: true, force: true }))
  await Promise.all([mkdir(join(place, 'in')), mkdir(join(place, 'out'))])
})

const originals = async () => (await readdir(join(place, 'in'))).toSorted()
const results = async () => (await readdir(join(place, 'out'))).toSorted()

async function start(recycle = (path: string) => rm(path)) {
  const service = await testService({ ...misbehaving, recycle, slots: 2 })
  const app = await openApp(service)
  /** Stages files of this machine, as the desktop does. */
  const stage = async (files: Record<string, string>) => {
    const ids: string[] = []
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(place, 'in', name), text)
      ids.push((await json<StagedFile>(app.post('/app/files', { path: join(place, 'in', name) }))).id)
    }
    return ids
  }
  const convert = (fileIds: string[], original?: 'keep' | 'recycle') =>
    app.createBatch({
      fileIds,
      targetFormat: 'webp',
      destination: { kind: 'folder', path: join(place, 'out'), ...(original && { original }) },
    })
  return { ...app, home: service.home, stage, convert }
}

test('originals go once their results are saved; those of failures and warnings stay', async () => {
  const app = await start()
  const files = { 'a.jpg': 'fine', 'bad.jpg': 'fail-with-cause', 'lost.jpg': 'warn' }
  const batch = await app.convert(await app.stage(files), 'recycle')
  await app.batchIs(batch.id, 'done')
  expect(await results()).toEqual(['a.out', 'lost.out'])
  expect(await originals()).toEqual(['bad.jpg', 'lost.jpg'])
})

testFull('the original of several files goes once all of them read as they were made', async () => {
  const app = await start()
  const batch = await app.convert(await app.stage({ 'pages.jpg': 'several' }), 'recycle')
  await app.batchIs(batch.id, 'done')
  expect(await results()).toEqual(['pages'])
  expect(await originals()).toEqual([])
})

testFull('originals stay unless somebody asks for it', async () => {
  const app = await start()
  const batch = await app.convert(await app.stage({ 'a.jpg': 'fine' }))
  await app.batchIs(batch.id, 'done')
  expect(await originals()).toEqual(['a.jpg'])
})

testFull(
  'an original that was changed meanwhile, or cannot go, stays; that is said beside its result',
  async () => {
    const app = await start(() => Promise.reject(new Error('There is no recycle bin.')))
    const staged = await app.stage({ 'a.jpg': 'fine' })
    const batch = await app.convert(staged, 'recycle')
    await app.batchIs(batch.id, 'done')
    expect(await app.items(batch.id)).toMatchObject([
      {
        state: 'succeeded',
        savedTo: join(place, 'out', 'a.out'),
        error: { code: 'destination.not_recycled' },
      },
    ])
    const again = await start()
    const slow = await again.stage({ 'b.jpg': 'begin' })
    const running = await again.convert(slow, 'recycle')
    await expect.poll(async () => (await again.batch(running.id))?.counts.running).toBe(1)
    const goOn = await begun(again.home, (await again.items(running.id))[0]?.job?.id ?? '')
    await utimes(join(place, 'in', 'b.jpg'), new Date(), new Date(0))
    await goOn()
    await again.batchIs(running.id, 'done')
    expect(await originals()).toEqual(['a.jpg', 'b.jpg'])
  },
)

test('an original that becomes several things goes with the last of them, and stays if one of them failed', async () => {
  const path = join(place, 'in', 'a.jpg')
  await Promise.all([writeFile(path, 'four'), writeFile(join(place, 'out', 'a'), 'r')])
  const { mtimeMs } = await stat(path)
  const own = { id: 'own', jobId: 'own', originalPath: path, bytes: 4, modifiedAt: mtimeMs, addedAt: 1 }
  const job = (id: string, status: string, warnings: object[] = []) => ({ id, status, warnings })
  const discarded = async (others: object[], jobs: object[]) => {
    const recycle = vi.fn(async () => {})
    const stores = {
      batches: { itemsOf: async () => [own, ...others] },
      jobs: { getMany: async () => jobs },
    }
    const parts = { stores, recycle, onError: vi.fn() } as unknown as OriginalsParts
    const result = join(place, 'out', 'a')
    await new Originals(parts).discard(own as never, job('own', 'Succeeded') as never, {
      ...{ saved: result, result },
    })
    return recycle.mock.calls.length === 1
  }
  const other = { id: 'other', jobId: 'x', addedAt: 1, state: 'submitted', delivery: 'saved', retryOf: null }
  expect(await discarded([], [])).toBe(true)
  expect(await discarded([other], [job('x', 'Succeeded')])).toBe(true)
  expect(await discarded([{ ...other, state: 'waiting', jobId: null }], [])).toBe(false)
  expect(await discarded([other], [job('x', 'Running')])).toBe(false)
  expect(await discarded([{ ...other, delivery: 'pending' }], [job('x', 'Succeeded')])).toBe(false)
  expect(await discarded([{ ...other, delivery: 'pending' }], [job('x', 'Failed')])).toBe(false)
  expect(await discarded([other], [job('x', 'Succeeded', [{}])])).toBe(false)
  // A failure that was made good, or is one of another day, says nothing.
  const again = { ...other, id: 'again', jobId: 'y', retryOf: 'x' }
  expect(await discarded([other, again], [job('x', 'Failed'), job('y', 'Succeeded')])).toBe(true)
  expect(await discarded([{ ...other, addedAt: 0 }], [job('x', 'Failed')])).toBe(true)
})
