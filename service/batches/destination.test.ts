import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Batch, BatchItem, Destination } from '../app/types.ts'
import { openApp } from '../test/app.ts'
import { canMount, setReadOnly, smallDisk } from '../test/disk.ts'
import { misbehaving } from '../test/misbehaving.ts'
import { json, testService } from '../test/service.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refile-results-'))
  return () => rm(folder, { recursive: true, force: true })
})

const listed = async (path = folder) => (await readdir(path, { recursive: true })).toSorted()

type Files = Parameters<Awaited<ReturnType<typeof openApp>>['stage']>[0]

async function start(slots = 2) {
  const service = await testService({ ...misbehaving, slots })
  const app = await openApp(service)
  const save = async (files: Files, destination: Partial<Destination & { kind: 'folder' }> = {}) =>
    app.createBatch({
      fileIds: await app.stage(files),
      targetFormat: 'webp',
      destination: { kind: 'folder', path: folder, ...destination },
    })
  return { service, app, save }
}

const savedTo = (items: readonly BatchItem[]) => items.map(item => item.savedTo)

test('results are saved as their jobs end, and stay for download', async () => {
  const { app, save } = await start()
  const batch = await save([
    ['a.jpg', 'fine'],
    ['b.jpg', 'fine'],
    ['c.jpg', 'throw'],
  ])
  expect(batch.destination).toEqual({ kind: 'folder', path: folder })
  expect(await app.batchIs(batch.id, 'done')).toMatchObject({ counts: { succeeded: 2, failed: 1 } })
  expect(await listed()).toEqual(['a.out', 'b.out'])
  expect(await readFile(join(folder, 'a.out'), 'utf8')).toMatch(/^fine/)
  const items = await app.items(batch.id)
  expect(savedTo(items)).toEqual([join(folder, 'a.out'), join(folder, 'b.out'), null])
  const job = await app.job(items[0]?.job?.id ?? '')
  expect(job?.savedTo).toBe(join(folder, 'a.out'))
  expect(await (await app.call(`/app/jobs/${job?.id}/download`)).text()).toMatch(/^fine/)
  await app.call(`/app/jobs/${job?.id}`, { method: 'DELETE' })
  expect(await listed()).toEqual(['a.out', 'b.out'])
})

test('names come from a template, collide with nothing, and mean the same on every system', async () => {
  const { app, save } = await start(1)
  await writeFile(join(folder, '2-con-webp.out'), 'mine')
  const batch = await save(
    [
      ['x.jpg', 'fine'],
      ['con.jpg', 'fine'],
      ['A: y?.jpg', 'fine'],
    ],
    { name: '{counter}-{name}-{target}' },
  )
  await app.batchIs(batch.id, 'done')
  const names = savedTo(await app.items(batch.id)).map(path => basename(path ?? ''))
  expect(names).toEqual(['1-x-webp.out', '2-con-webp (2).out', '3-A_ y_-webp.out'])
  expect(await readFile(join(folder, '2-con-webp.out'), 'utf8')).toBe('mine')
  const plain = await save([
    ['CON.jpg', 'fine'],
    [`${'ä'.repeat(200)}.jpg`, 'fine'],
    ['x.jpg', 'fine'],
    ['x.jpg', 'fine'],
  ])
  await app.batchIs(plain.id, 'done')
  expect(savedTo(await app.items(plain.id)).map(path => basename(path ?? ''))).toEqual([
    '_CON.out',
    `${'ä'.repeat(125)}.out`,
    'x.out',
    'x (2).out',
  ])
})

test('dropped folders are made again where that is asked for, and nothing lands beside the destination', async () => {
  const { app, save } = await start(1)
  const target = join(folder, 'results')
  await mkdir(target)
  const files: Files = [
    ['a.jpg', 'fine', 'holiday/day 1/a.jpg'],
    ['b.jpg', 'fine', '../../b.jpg'],
    ['c.jpg', 'fine', '/etc/cron.d/c.jpg'],
    ['d.jpg', 'fine', 'C:\\Windows\\d.jpg'],
    ['e.jpg', 'fine', 'nul/ . /aux.d/e.jpg'],
    ['f.jpg', 'fine'],
  ]
  const batch = await save(files, { path: target, keepFolders: true })
  await app.batchIs(batch.id, 'done')
  expect(savedTo(await app.items(batch.id)).map(path => path?.slice(target.length + 1))).toEqual([
    'holiday/day 1/a.out',
    'b.out',
    'etc/cron.d/c.out',
    'C_/Windows/d.out',
    '_nul/_aux.d/e.out',
    'f.out',
  ])
  expect(await readdir(folder)).toEqual(['results'])
  const flat = await save(files.slice(0, 1), { path: target })
  await app.batchIs(flat.id, 'done')
  expect(savedTo(await app.items(flat.id))).toEqual([join(target, 'a.out')])
})

test('one result that cannot get its place stays for download, the others are saved', async () => {
  const { app, save } = await start()
  await writeFile(join(folder, 'holiday'), 'a file, not a folder')
  const batch = await save(
    [
      ['a.jpg', 'fine', 'holiday/a.jpg'],
      ['b.jpg', 'fine', 'other/b.jpg'],
    ],
    { keepFolders: true },
  )
  await app.batchIs(batch.id, 'done')
  const [first, second] = await app.items(batch.id)
  expect(first).toMatchObject({
    state: 'succeeded',
    savedTo: null,
    error: { code: 'destination.name_refused' },
    job: { output: { fileName: 'a.out' } },
  })
  expect(second?.savedTo).toBe(join(folder, 'other', 'b.out'))
})

test('when the folder is gone the batch pauses, and goes on once it is back', async () => {
  const { app, save } = await start(1)
  const target = join(folder, 'results')
  await mkdir(target)
  const batch = await save(
    Array.from({ length: 15 }, (_, index) => [`${index}.jpg`, 'fine 50'] as const),
    { path: target },
  )
  await rename(target, join(folder, 'elsewhere'))
  const paused = await app.batchIs(batch.id, 'paused')
  expect(paused.problem).toEqual({
    code: 'destination.missing',
    detail:
      'The folder for the results is not there any more. Bring it back or connect its disk, then resume.',
  })
  await expect.poll(async () => (await app.batch(batch.id))?.counts).toMatchObject({ queued: 0, running: 0 })
  expect(await listed()).not.toContain('results')
  const [job] = (await app.items(batch.id)).flatMap(
    item => (item.state === 'succeeded' ? item.job : []) ?? [],
  )
  expect((await app.call(`/app/jobs/${job?.id}/download`)).status).toBe(200)
  await app.post(`/app/batches/${batch.id}/resume`, {})
  expect((await app.batchIs(batch.id, 'paused')).problem?.code).toBe('destination.missing')
  await rename(join(folder, 'elsewhere'), target)
  await app.post(`/app/batches/${batch.id}/resume`, {})
  expect(await app.batchIs(batch.id, 'done')).toMatchObject({ problem: null, counts: { succeeded: 15 } })
  expect(await readdir(target)).toHaveLength(15)
})

test.runIf(canMount)('a folder that takes no writes, or is full, pauses the batch', async () => {
  const { app, save } = await start(1)
  const disk = await smallDisk(1)
  setReadOnly(disk, true)
  const batch = await save([['a.jpg', 'fine']], { path: disk })
  expect((await app.batchIs(batch.id, 'paused')).problem?.code).toBe('destination.not_writable')
  setReadOnly(disk, false)
  await writeFile(join(disk, 'filler'), new Uint8Array(2 ** 21)).catch(() => {})
  await app.post(`/app/batches/${batch.id}/resume`, {})
  await expect.poll(async () => (await app.batch(batch.id))?.problem?.code).toBe('destination.full')
  expect(await readdir(disk)).toEqual(['filler'])
  await rm(join(disk, 'filler'))
  await app.post(`/app/batches/${batch.id}/resume`, {})
  await app.batchIs(batch.id, 'done')
  expect(await readdir(disk)).toEqual(['a.out'])
})

test('results of a batch that a person has paused are saved, those of a canceled one are not', async () => {
  const { app, save } = await start(1)
  const files = Array.from({ length: 14 }, (_, index) => [`${index}.jpg`, 'fine 100'] as const)
  const batch = await save(files)
  await expect.poll(async () => (await app.batch(batch.id))?.counts.running).toBe(1)
  await app.post(`/app/batches/${batch.id}/pause`, {})
  await expect.poll(async () => (await app.batch(batch.id))?.counts).toMatchObject({ queued: 0, running: 0 })
  const { counts } = (await app.batch(batch.id))!
  expect(counts.succeeded).toBeGreaterThan(0)
  await expect.poll(async () => (await listed()).length).toBe(counts.succeeded)
  await rm(folder, { recursive: true })
  await app.post(`/app/batches/${batch.id}/resume`, {})
  await app.batchIs(batch.id, 'paused')
  await mkdir(folder)
  expect(await json<Batch>(app.post(`/app/batches/${batch.id}/cancel`, {}))).toMatchObject({
    state: 'canceled',
  })
  await new Promise(resolve => setTimeout(resolve, 300))
  expect(await listed()).toEqual([])
})

test('a destination that cannot be is refused before anything is stored', async () => {
  const { service, app } = await start()
  const fileIds = await app.stage([['a.jpg', 'fine']])
  const refusal = async (destination: object) => {
    const answer = await app.post('/app/batches', { fileIds, targetFormat: 'webp', destination })
    return [answer.status, (await json(answer)).error]
  }
  const refused = [400, 'request.invalid_parameter']
  await writeFile(join(folder, 'file'), '')
  await symlink(service.home, join(folder, 'data'))
  for (const path of ['results', '../results', join(folder, 'nothing'), join(folder, 'file'), service.home]) {
    expect([path, await refusal({ kind: 'folder', path })]).toEqual([path, refused])
  }
  expect(await refusal({ kind: 'folder', path: join(folder, 'data', 'blobs') })).toEqual(refused)
  for (const name of ['../{name}', 'a/b', 'a\\b', '{nane}', '{}']) {
    expect([name, await refusal({ kind: 'folder', path: folder, name })]).toEqual([name, refused])
  }
  expect(await refusal({ kind: 'folder' })).toEqual(refused)
  expect(await refusal({ kind: 'elsewhere', path: folder })).toEqual(refused)
  expect(await app.batches()).toEqual([])
})
