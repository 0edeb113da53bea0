import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { begun } from '../../../testing/begun.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { canMount, setReadOnly, smallDisk } from '../../../testing/disk.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, sharedService } from '../../../testing/service.ts'
import { StoreUnavailable } from '../../store/interfaces/errors.ts'
import type { Batch, BatchItem, Destination, StagedFile } from '../../web/app/types.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refile-results-'))
  return () => rm(folder, { recursive: true, force: true })
})

const listed = async (path = folder) => (await readdir(path, { recursive: true })).toSorted()

type Files = Parameters<Awaited<ReturnType<typeof openApp>>['stage']>[0]

const services = {
  /** Converts in the order of the files. */
  1: sharedService({ ...misbehaving, slots: 1 }),
  2: sharedService({ ...misbehaving, slots: 2 }),
}

async function start(slots: keyof typeof services = 2) {
  const service = services[slots]()
  const app = await openApp(service)
  const save = async (files: Files, destination: Partial<Destination & { kind: 'folder' }> = {}) =>
    app.createBatch({
      fileIds: await app.stage(files),
      targetFormat: 'webp',
      destination: { kind: 'folder', path: folder, ...destination },
    })
  return { service, app, save }
}

/** Files of which the first is converted once it is told to go on. */
const many = (count: number): Files =>
  Array.from({ length: count }, (_, index) => [`${index}.jpg`, index === 0 ? 'begin' : 'fine'])

const savedTo = (items: readonly BatchItem[]) => items.map(item => item.savedTo)

testFull('several files of one result come into a folder with the name of their original', async () => {
  const { app, save } = await start()
  const batch = await save([['my pages.jpg', 'several']])
  await app.batchIs(batch.id, 'done')
  const [first, second] = [join('my pages', 'my pages-1.out'), join('my pages', 'more', 'my pages-2.out')]
  expect(await listed()).toEqual(['my pages', join('my pages', 'more'), second, first].toSorted())
  expect(await readFile(join(folder, second), 'utf8')).toBe('second')
  const [item] = await app.items(batch.id)
  expect(item?.savedTo).toBe(join(folder, 'my pages'))
  expect(await json(app.call(`/app/saved?ids=${item?.job?.id}`))).toEqual([join(folder, 'my pages')])
  // What is downloaded is one file.
  expect(item?.job?.output?.fileName).toBe('service-my pages-2-outputs.zip')
  const named = await save([['my pages.jpg', 'several']], { name: '{counter}-{name}.v1', taken: 'ask' })
  await app.batchIs(named.id, 'done')
  expect(savedTo(await app.items(named.id))).toEqual([join(folder, '1-my pages.v1')])
})

testFull('a taken name of a folder can be left to the person too', async () => {
  const { app, save } = await start()
  await mkdir(join(folder, 'pages'))
  const batch = await save([['pages.jpg', 'several']], { taken: 'ask' })
  await app.batchIs(batch.id, 'done')
  const [item] = await app.items(batch.id)
  expect(item).toMatchObject({ savedTo: null, error: { code: 'destination.taken' } })
  expect(await listed()).toEqual(['pages'])
  await app.post(`/app/batches/${batch.id}/items/${item?.id}/save`, {})
  await expect.poll(() => readdir(folder)).toEqual(['pages', 'pages (2)'])
})

test('results are saved as their jobs end, and stay available for download', async () => {
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
  expect(await (await app.call(`/convert/job/${job?.id}/download`)).text()).toMatch(/^fine/)
  await app.call(`/app/history/${job?.id}`, { method: 'DELETE' })
  expect(await listed()).toEqual(['a.out', 'b.out'])
  // A deleted result does not prevent the others from being listed and downloaded.
  const ids = items.slice(0, 2).map(item => item.job?.id)
  expect(await json<string[]>(app.call(`/app/saved?ids=${ids.join(',')}`))).toEqual([join(folder, 'b.out')])
  expect((await app.call(`/app/download?ids=${ids.join(',')}`)).status).toBe(200)
})

testFull('names come from a template, never collide, and are valid on every system', async () => {
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

test('dropped folders are recreated on request, and nothing is saved outside the destination', async () => {
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

testFull('one result that cannot be saved is kept for download, the others are saved', async () => {
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

testFull('if the folder is gone the batch pauses, and resumes once it is back', async () => {
  const { service, app, save } = await start(1)
  const target = join(folder, 'results')
  await mkdir(target)
  const batch = await save(many(15), { path: target })
  await expect.poll(async () => (await app.batch(batch.id))?.counts.running).toBe(1)
  const goOn = await begun(service.home, (await app.items(batch.id))[0]?.job?.id ?? '')
  await rename(target, join(folder, 'elsewhere'))
  await goOn()
  const paused = await app.batchIs(batch.id, 'paused')
  expect(paused.problem).toEqual({
    code: 'destination.missing',
    detail: 'The folder for the results no longer exists. Bring it back or connect its disk, then resume.',
  })
  await expect.poll(async () => (await app.batch(batch.id))?.counts).toMatchObject({ queued: 0, running: 0 })
  expect(await listed()).not.toContain('results')
  const [job] = (await app.items(batch.id)).flatMap(
    item => (item.state === 'succeeded' ? item.job : []) ?? [],
  )
  expect((await app.call(`/convert/job/${job?.id}/download`)).status).toBe(200)
  await app.post(`/app/batches/${batch.id}/resume`, {})
  expect((await app.batchIs(batch.id, 'paused')).problem?.code).toBe('destination.missing')
  await rename(join(folder, 'elsewhere'), target)
  await app.post(`/app/batches/${batch.id}/resume`, {})
  expect(await app.batchIs(batch.id, 'done')).toMatchObject({ problem: null, counts: { succeeded: 15 } })
  expect(await readdir(target)).toHaveLength(15)
})

test.runIf(canMount)('an unwritable or full folder pauses the batch', async () => {
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

testFull('results of a batch paused by a person are saved, those of a canceled one are not', async () => {
  const { service, app, save } = await start(1)
  const batch = await save(many(14))
  await expect.poll(async () => (await app.batch(batch.id))?.counts.running).toBe(1)
  const goOn = await begun(service.home, (await app.items(batch.id))[0]?.job?.id ?? '')
  await app.post(`/app/batches/${batch.id}/pause`, {})
  await goOn()
  await expect.poll(async () => (await app.batch(batch.id))?.counts).toMatchObject({ queued: 0, running: 0 })
  const { counts } = (await app.batch(batch.id))!
  expect(counts.succeeded).toBeGreaterThan(0)
  // A file that is being written has another name.
  await expect
    .poll(async () => savedTo(await app.items(batch.id)).filter(Boolean).length)
    .toBe(counts.succeeded)
  expect(await listed()).toHaveLength(counts.succeeded)
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

describe('beside the originals', () => {
  /** Files in separate folders, named by path. */
  async function local(app: Awaited<ReturnType<typeof openApp>>, paths: readonly string[]) {
    const ids: string[] = []
    for (const path of paths) {
      const full = join(folder, path)
      await mkdir(dirname(full), { recursive: true })
      await writeFile(full, 'fine')
      ids.push((await json<StagedFile>(app.post('/app/files', { path: full }))).id)
    }
    return ids
  }
  const besides = async (app: Awaited<ReturnType<typeof openApp>>, fileIds: string[], saving = {}) =>
    app.createBatch({ fileIds, targetFormat: 'webp', destination: { kind: 'beside', ...saving } })

  test('each result is saved in the folder of its original, with its name and date', async () => {
    const { app } = await start()
    const fileIds = await local(app, ['one/a.jpg', 'two/deep/a.jpg'])
    const [first = ''] = [join(folder, 'one', 'a.jpg')]
    const taken = new Date('2011-03-04T05:06:07Z')
    await utimes(first, taken, taken)
    await writeFile(join(folder, 'one', 'a.out'), 'mine')
    const old = await json<StagedFile>(app.post('/app/files', { path: first }))
    const batch = await besides(app, [old.id, fileIds[1]!], { keepDates: true })
    await app.batchIs(batch.id, 'done')
    expect(savedTo(await app.items(batch.id))).toEqual([
      join(folder, 'one', 'a (2).out'),
      join(folder, 'two', 'deep', 'a.out'),
    ])
    expect((await stat(join(folder, 'one', 'a (2).out'))).mtimeMs).toBe(taken.getTime())
    expect(await readFile(join(folder, 'one', 'a.out'), 'utf8')).toBe('mine')
  })

  test('a file named by a link has its result beside the link', async () => {
    const { app } = await start()
    await local(app, ['one/a.jpg'])
    await mkdir(join(folder, 'links'))
    await symlink(join(folder, 'one', 'a.jpg'), join(folder, 'links', 'b.jpg'))
    const file = await json<StagedFile>(app.post('/app/files', { path: join(folder, 'links', 'b.jpg') }))
    const batch = await besides(app, [file.id])
    await app.batchIs(batch.id, 'done')
    expect(savedTo(await app.items(batch.id))).toEqual([join(folder, 'links', 'b.out')])
  })

  test('a folder that has gone affects no other results, and saving to it can be retried', async ({
    skip,
  }) => {
    const { app } = await start(1)
    const fileIds = await local(app, ['one/a.jpg', 'two/b.jpg'])
    const batch = await besides(app, fileIds)
    await rm(join(folder, 'one'), { recursive: true })
    await app.batchIs(batch.id, 'done')
    const [first, second] = await app.items(batch.id)
    skip(first?.state === 'failed', 'without shared bytes the original is gone with its folder')
    expect(first).toMatchObject({ state: 'succeeded', savedTo: null, error: { code: 'destination.missing' } })
    expect(first?.error?.detail).toContain('folder of the original')
    expect(second?.savedTo).toBe(join(folder, 'two', 'b.out'))
    await mkdir(join(folder, 'one'))
    expect((await app.post(`/app/batches/${batch.id}/items/${first?.id}/save`, {})).status).toBe(204)
    await expect.poll(async () => (await app.items(batch.id))[0]?.savedTo).toBe(join(folder, 'one', 'a.out'))
    expect((await app.post(`/app/batches/${batch.id}/items/${first?.id}/save`, {})).status).toBe(400)
    expect((await app.post(`/app/batches/${batch.id}/items/nothing/save`, {})).status).toBe(404)
  })

  if (canMount)
    testFull('a read-only folder only affects its own results, a full disk the whole batch', async () => {
      const { app } = await start(1)
      const disk = await smallDisk(1)
      await writeFile(join(disk, 'a.jpg'), 'fine')
      const file = await json<StagedFile>(app.post('/app/files', { path: join(disk, 'a.jpg') }))
      const [other = ''] = await local(app, ['b.jpg'])
      setReadOnly(disk, true)
      const batch = await besides(app, [file.id, other])
      await app.batchIs(batch.id, 'done')
      expect(await app.items(batch.id)).toMatchObject([
        { savedTo: null, error: { code: 'destination.not_writable' } },
        { savedTo: join(folder, 'b.out') },
      ])
      setReadOnly(disk, false)
      await writeFile(join(disk, 'filler'), new Uint8Array(2 ** 21)).catch(() => {})
      const full = await besides(app, [file.id])
      await expect.poll(async () => (await app.batch(full.id))?.problem?.code).toBe('destination.full')
      await rm(join(disk, 'filler'))
      await app.post(`/app/batches/${full.id}/resume`, {})
      await app.batchIs(full.id, 'done')
      expect((await readdir(disk)).toSorted()).toEqual(['a.jpg', 'a.out'])
    })

  test('uploads have no folder: a batch of uploads alone is refused, mixed ones are kept for download', async () => {
    const { app } = await start()
    const uploads = await app.stage([['up.jpg', 'fine']])
    const answer = await app.post('/app/batches', {
      fileIds: uploads,
      targetFormat: 'webp',
      destination: { kind: 'beside' },
    })
    expect([answer.status, (await json(answer)).detail]).toEqual([400, expect.stringContaining('up.jpg')])
    const batch = await besides(app, [...(await local(app, ['a.jpg'])), ...uploads])
    await app.batchIs(batch.id, 'done')
    expect(await app.items(batch.id)).toMatchObject([
      { savedTo: join(folder, 'a.out') },
      { state: 'succeeded', savedTo: null, error: { code: 'destination.beside_unknown' } },
    ])
  })

  test('results cannot be saved into the data folder, not even through a link', async () => {
    const { service, app } = await start()
    await writeFile(join(folder, 'a.jpg'), 'fine')
    await symlink(join(folder, 'a.jpg'), join(service.home, 'a.jpg'))
    const file = await json<StagedFile>(app.post('/app/files', { path: join(service.home, 'a.jpg') }))
    const answer = await app.post('/app/batches', {
      fileIds: [file.id],
      targetFormat: 'webp',
      destination: { kind: 'beside' },
    })
    expect(answer.status).toBe(400)
  })
})

test('a name conflict can be left to the person, who saves the result with a number', async () => {
  const { app, save } = await start(1)
  await writeFile(join(folder, 'a.out'), 'mine')
  const files: Files = [
    ['a.jpg', 'fine'],
    ['b.jpg', 'fine'],
  ]
  const batch = await save(files, { taken: 'ask' })
  await app.batchIs(batch.id, 'done')
  const [first, second] = await app.items(batch.id)
  expect(first).toMatchObject({ savedTo: null, error: { code: 'destination.taken' } })
  expect(first?.error?.detail).toContain('a.out')
  expect(second?.savedTo).toBe(join(folder, 'b.out'))
  const saveAgain = () => app.post(`/app/batches/${batch.id}/items/${first?.id}/save`, {})
  // The batch is finished, so it waits for no folder.
  await rename(folder, `${folder}-away`)
  await saveAgain()
  await expect
    .poll(async () => (await app.items(batch.id))[0]?.error?.code, { timeout: 5000 })
    .toBe('destination.missing')
  await rename(`${folder}-away`, folder)
  await saveAgain()
  await expect.poll(async () => (await app.items(batch.id))[0]?.savedTo).toBe(join(folder, 'a (2).out'))
  expect((await app.items(batch.id))[0]?.error).toBeNull()
  expect(await readFile(join(folder, 'a.out'), 'utf8')).toBe('mine')
})

testFull('results that cannot be read block no others, and can be saved once they can be read', async () => {
  const { service, app, save } = await start(1)
  const { blobs } = service.services.stores
  const { checkout } = blobs
  const [outputs, gone] = [new Set<string>(), { path: join(folder, 'gone') }]
  vi.spyOn(blobs, 'checkout').mockImplementation(async (key, signal) => {
    if (/output/.test(key)) outputs.add(key)
    const [first, second] = outputs
    if (key === first) throw new StoreUnavailable('The checksum is wrong.')
    if (key === second) return { ...gone, [Symbol.asyncDispose]: async () => {} }
    return checkout.call(blobs, key, signal)
  })
  const batch = await save([
    ['a.jpg', 'fine'],
    ['b.jpg', 'fine'],
    ['c.jpg', 'fine'],
  ])
  await app.batchIs(batch.id, 'done')
  expect(await listed()).toEqual(['c.out'])
  const items = (await app.items(batch.id)).slice(0, 2)
  for (const item of items) {
    expect(item).toMatchObject({ savedTo: null, error: { code: 'destination.result_unreadable' } })
  }
  vi.restoreAllMocks()
  for (const { id } of items) {
    expect((await app.post(`/app/batches/${batch.id}/items/${id}/save`, {})).status).toBe(204)
  }
  await expect.poll(() => listed()).toEqual(['a.out', 'b.out', 'c.out'])
})

test('names can contain the preset and the formats; a missing size is left out; uploads keep the dates sent by their page', async () => {
  const { app } = await start(1)
  const form = new FormData()
  form.set('modified', '1300000000000')
  form.set('file', new Blob(['fine']), 'a.jpg')
  const file = await json<StagedFile>(app.call('/app/files', { method: 'POST', body: form }))
  const batch = await app.createBatch({
    fileIds: [file.id],
    targetFormat: 'webp',
    destination: {
      kind: 'folder',
      path: folder,
      name: '{name} {preset} {source}-{target} {width}x{height}',
      preset: 'Für/Web',
      keepDates: true,
    },
  })
  await app.batchIs(batch.id, 'done')
  expect(await listed()).toEqual(['a Für_Web jpg-webp.out'])
  expect((await stat(join(folder, 'a Für_Web jpg-webp.out'))).mtimeMs).toBe(1_300_000_000_000)
})

test('an impossible destination is refused before anything is stored', async () => {
  const { service, app } = await start()
  const before = await app.batches()
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
  expect(await app.batches()).toEqual(before)
})
