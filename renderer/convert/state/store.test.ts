import { beforeEach, expect, test, vi } from 'vitest'
import type { AppJob, Batch, BatchItem, Chosen, Page, StagedFile } from '../../../service/web/app/types.ts'
import type { Client } from '../../api/client.ts'
import { ApiError, canceled, unreachable } from '../../api/errors.ts'
import type { Added } from '../../api/upload.ts'
import { createJobsStore } from '../../jobs/store.ts'
import { testBatch, testCounts, testItem } from '../../jobs/test/batch.ts'
import { testJob } from '../../jobs/test/job.ts'
import { pairOf } from '../../options/schemas.ts'
import { type Row, stageOf } from './rows/row.ts'
import { testChoice, testFile } from './rows/test/row.ts'
import { createTableStore } from './store.ts'
import { useUndo } from './undo.ts'

beforeEach(() => useUndo.setState({ steps: [] }))

/** Uploads that end on the test's command, manual frames and timers, and a service with the test's data. */
function setUp() {
  const uploads: (Added & {
    progress: (share: number) => void
    resolve: (file: StagedFile) => void
    reject: (error: unknown) => void
  })[] = []
  const timers: (() => void)[] = []
  const service = {
    ...{ files: [] as StagedFile[], batches: [] as Batch[], items: new Map<string, BatchItem[]>() },
    chosen: { choices: {}, following: null } as Chosen,
  }
  const properties = { password: { type: 'string', title: 'Password', 'x-secret': true } } as const
  const client = {
    stagedFiles: vi.fn(async () => service.files),
    chosen: vi.fn(async () => service.chosen),
    keepChosen: vi.fn(async (_: Chosen) => {}),
    findFiles: vi.fn(async (ids: readonly string[]) => ids.map(id => testFile(id))),
    removeFiles: vi.fn(async () => {}),
    removeItems: vi.fn(async () => {}),
    batches: vi.fn(async () => service.batches),
    batchItems: vi.fn(async (id: string): Promise<Page<BatchItem>> => {
      const items = (service.items.get(id) ?? []).map(each => ({ ...each, batchId: id }))
      return { items, next: null }
    }),
    jobs: vi.fn(async (): Promise<Page<AppJob>> => ({ items: [], next: null })),
    createBatch: vi.fn(async () => testBatch()),
  }
  const jobs = createJobsStore(client as unknown as Client, () => 0)
  const store = createTableStore({
    ...{ client, jobs },
    stage: (added, progress) => {
      const { promise, resolve, reject } = Promise.withResolvers<StagedFile>()
      uploads.push({ ...added, progress, resolve, reject })
      return { done: promise, abort: () => reject(new ApiError(0, canceled)) }
    },
    later: run => timers.push(run),
    now: () => 1000,
    categories: () =>
      new Map([
        ['jpg', 'images'],
        ['pdf', 'documents'],
      ]),
    last: () => ({
      targetOf: format => (format === 'png' ? 'jpg' : undefined),
      optionsOf: (format, target) => (format === 'png' && target === 'jpg' ? { quality: 60 } : undefined),
    }),
    schemas: () => ({ [pairOf('jpg', 'ico')]: { properties } }) as never,
    presets: async () => [],
    schedule: run => queueMicrotask(run),
  })
  const names = () => [...store.getState().rows.values()].map(({ name }) => name)
  const rowOf = (name: string): Row => {
    const row = [...store.getState().rows.values()].find(each => each.name === name)
    if (!row) throw new Error(`no row ${name}`)
    return row
  }
  const add = (...list: string[]) =>
    store.getState().addFiles(list.map(name => ({ file: new File(['xyz'], name), relativePath: null })))
  /** Lets answers arrive and frames be rendered. */
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  /** Converts rows as a batch. */
  const begin = async (batch: Batch, ...rows: string[]) => {
    client.createBatch.mockResolvedValueOnce(batch)
    const request = { fileIds: [], targetFormat: batch.target }
    await jobs.getState().create(request, rows.map(rowOf))
  }
  const publish = (over: Partial<AppJob>) =>
    jobs.getState().apply({ jobs: new Map([['j', testJob({ id: 'j', ...over })]]) })
  return { uploads, timers, service, client, jobs, store, names, rowOf, add, settle, begin, publish }
}

const item = (fileId: string, over: Partial<BatchItem> = {}) =>
  testItem({ id: `i-${fileId}`, fileId, name: `${fileId}.jpg`, format: 'jpg', formatLabel: 'JPEG', ...over })

test('three files are uploaded at once, and a row keeps its key and position until it has a result', async () => {
  const { uploads, store, add, names, rowOf, settle, begin, publish } = setUp()
  add('a.jpg', 'b.pdf', 'c.jpg', 'd.jpg')
  expect(names()).toEqual(['a.jpg', 'b.pdf', 'c.jpg', 'd.jpg'])
  expect(rowOf('b.pdf').kind).toBe('documents')
  expect(uploads).toHaveLength(3)
  const times = uploads.map(({ addedAt }) => addedAt)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(new Set(times).size).toBe(3)

  const { key } = rowOf('a.jpg')
  uploads[0]?.progress(0.5)
  await settle()
  expect(rowOf('a.jpg')).toMatchObject({ intake: 'sending', sent: 0.5 })
  uploads[0]?.resolve(testFile('1', { name: 'a.jpg' }))
  await settle()
  expect(uploads).toHaveLength(4)
  store.getState().choose([key], testChoice('webp'))
  const batch = testBatch({ id: 'b', target: 'webp' })
  await begin(batch, 'a.jpg')
  expect(stageOf(rowOf('a.jpg'))).toBe('waiting')
  publish({ fileId: '1', batchId: 'b', status: 'Running' })
  expect(stageOf(rowOf('a.jpg'))).toBe('running')
  publish({ fileId: '1', batchId: 'b' })
  expect(rowOf('a.jpg')).toMatchObject({ key, item: { state: 'succeeded' } })
  // A late event changes nothing.
  publish({ fileId: '1', batchId: 'b', status: 'Queued' })
  expect(stageOf(rowOf('a.jpg'))).toBe('done')
  store.getState().choose([key], testChoice('ico'))
  expect(stageOf(rowOf('a.jpg'))).toBe('ready')
  await begin(testBatch({ id: 'c', target: 'ico', createdAt: '2026-11-20T15:00:00.000Z' }), 'a.jpg')
  expect(stageOf(rowOf('a.jpg'))).toBe('waiting')
  expect(names()).toEqual(['a.jpg', 'b.pdf', 'c.jpg', 'd.jpg'])
})

test('lines change only when files are added, removed, change their group or are refused', async () => {
  const { uploads, store, add, settle } = setUp()
  add('a.jpg', 'b.jpg')
  const { shape } = store.getState()
  uploads[0]?.progress(0.3)
  await settle()
  uploads[0]?.resolve(testFile('1', { name: 'a.jpg' }))
  await settle()
  expect(store.getState().shape).toBe(shape)
  uploads[1]?.resolve(testFile('2', { name: 'b.jpg', format: null, targets: [] }))
  await settle()
  expect(store.getState().shape).toBeGreaterThan(shape)
})

test('a busy service is asked again; other failures give the reason', async () => {
  const { uploads, timers, add, rowOf, settle } = setUp()
  add('a.jpg', 'b.jpg')
  uploads[0]?.reject(new ApiError(429, 'request.rate_limited', null, 2))
  uploads[1]?.reject(new ApiError(413, 'request.file_too_large', 'Too large.'))
  await settle()
  expect(rowOf('a.jpg').intake).toBe('waiting')
  expect(rowOf('b.jpg')).toMatchObject({ intake: 'failed', problem: 'Too large.' })
  expect(stageOf(rowOf('b.jpg'))).toBe('refused')
  timers[0]?.()
  expect(uploads).toHaveLength(3)
})

test('after a reload files and results are in the order they were added', async () => {
  const { service, store, client, names, rowOf, settle } = setUp()
  const batch = testBatch({
    id: 'b',
    target: 'webp',
    state: 'done',
    // What is usual is sent, but was chosen by nobody.
    options: { quality: 40, metadata: { keep: 'no-place' } },
    counts: testCounts({ succeeded: 1, failed: 1 }),
  })
  service.files = [testFile('1', { addedAt: 1 }), testFile('4', { addedAt: 4 })]
  service.batches = [batch]
  service.items.set('b', [
    item('3', { addedAt: 3, state: 'succeeded', job: testJob() }),
    item('2', { addedAt: 2, state: 'failed', error: { code: 'jobs.corrupt_input', detail: 'Damaged.' } }),
  ])
  await store.getState().restore()
  await settle()
  expect(names()).toEqual(['1.jpg', '2.jpg', '3.jpg', '4.jpg'])
  expect(names().map(name => stageOf(rowOf(name)))).toEqual(['ready', 'failed', 'done', 'ready'])
  // They can get another target.
  expect(client.findFiles).toHaveBeenCalledWith(['3', '2'])
  expect(rowOf('3.jpg').file?.targets).toHaveLength(3)
  expect(rowOf('3.jpg').options).toEqual({ quality: 40 })
  await store.getState().restore()
  expect(names()).toEqual(['1.jpg', '2.jpg', '3.jpg', '4.jpg'])
})

test('what was chosen before is there again, also for files to be converted again', async () => {
  const { service, client, store, names, rowOf, settle } = setUp()
  const batch = testBatch({ id: 'b', target: 'webp', state: 'done', counts: testCounts({ succeeded: 2 }) })
  service.files = [testFile('1'), testFile('2'), testFile('3')]
  service.batches = [batch]
  for (const state of ['succeeded', 'waiting'] as const)
    service.items.set('b', [...(service.items.get('b') ?? []), item(state, { state })])
  // A target that is missing on this machine is not there to be chosen any more.
  for (const [id, target] of Object.entries({ 1: 'ico', 3: 'avif', succeeded: 'ico', waiting: 'ico' }))
    service.chosen.choices[id] = { target, options: { quality: 40 } }
  const { promise, resolve } = Promise.withResolvers<StagedFile[]>()
  client.findFiles.mockReturnValueOnce(promise)
  await store.getState().restore()
  // The rows of a batch are there before their files were read.
  await store.getState().keep()
  resolve(['succeeded', 'waiting'].map(id => testFile(id)))
  await settle()
  const targets = Object.fromEntries(names().map(name => [name, rowOf(name).target]))
  expect(targets).toEqual({
    ...{ '1.jpg': 'ico', '2.jpg': null, '3.jpg': null },
    ...{ 'succeeded.jpg': 'ico', 'waiting.jpg': 'webp' },
  })
  expect(rowOf('1.jpg').options).toEqual({ quality: 40 })
  expect(stageOf(rowOf('succeeded.jpg'))).toBe('ready')
  await store.getState().keep()
  // What was read is told nobody, neither that a row had no choice before its file was read.
  expect(client.keepChosen).not.toHaveBeenCalled()
})

test('the service gets what is chosen once, without secrets, and a window shows what another did', async () => {
  const { service, client, store, names, rowOf, settle } = setUp()
  service.files = [testFile('1'), testFile('2')]
  await store.getState().restore()
  store.getState().choose(['1', '2'], testChoice('ico'))
  store.getState().setOptions(['1', '2'], { quality: 40, password: 'x' })
  await store.getState().keep()
  await store.getState().keep()
  const choice = { target: 'ico', options: { quality: 40 } }
  const kept = { following: null, choices: { 1: choice, 2: choice } }
  expect(client.keepChosen.mock.calls).toEqual([[kept]])
  // What is read again takes no secret from a row.
  service.chosen = { following: null, choices: { 1: choice, 2: { target: 'webp', options: {} } } }
  service.files = [...service.files, testFile('4')]
  await store.getState().refresh()
  expect(rowOf('1.jpg').options).toEqual({ quality: 40, password: 'x' })
  expect(rowOf('2.jpg')).toMatchObject({ target: 'webp', options: {} })
  expect(names()).toContain('4.jpg')
  // What was chosen here a moment ago wins, and what was removed elsewhere goes.
  store.getState().choose(['2'], testChoice('ico'))
  service.files = service.files.slice(0, 2)
  // Another window changed another row at the same time.
  service.chosen.choices[1] = { target: 'webp', options: {} }
  await store.getState().refresh()
  await settle()
  expect(rowOf('2.jpg').target).toBe('ico')
  expect(rowOf('1.jpg').target).toBe('webp')
  expect(names()).not.toContain('4.jpg')
  await store.getState().keep()
  expect(client.keepChosen.mock.lastCall?.[0].choices).toEqual({ 2: { target: 'ico', options: {} } })
})

test('choices for thousands of files are kept in several requests, and again if one fails', async () => {
  const { service, client, store } = setUp()
  service.files = Array.from({ length: 1100 }, (_, at) => testFile(`n${at}`))
  await store.getState().restore()
  store.getState().choose(store.getState().rows.keys(), testChoice('ico'))
  client.keepChosen.mockRejectedValueOnce(new ApiError(413, 'request.too_large'))
  await store.getState().keep()
  const sizes = () => client.keepChosen.mock.calls.map(([{ choices }]) => Object.keys(choices).length)
  expect(sizes()).toEqual([500, 500, 100])
  await store.getState().keep()
  expect(sizes()).toEqual([500, 500, 100, 500, 500, 100])
  await store.getState().keep()
  expect(sizes()).toHaveLength(6)
})

test('a file that is still being uploaded here has one row, also when it was heard of', async () => {
  const { service, uploads, store, add, names, settle } = setUp()
  add('a.jpg')
  const file = testFile('1', { name: 'a.jpg', addedAt: uploads[0]!.addedAt })
  service.files = [file]
  await store.getState().refresh()
  uploads[0]?.resolve(file)
  await settle()
  expect(names()).toEqual(['a.jpg'])
})

test('a file that another window removes while its upload ends here has no row', async () => {
  const { service, uploads, store, add, names, settle } = setUp()
  add('a.jpg')
  await store.getState().refresh()
  service.files = []
  uploads[0]?.resolve(testFile('1', { name: 'a.jpg', addedAt: uploads[0]!.addedAt }))
  await settle()
  expect(names()).toEqual([])
})

test('of several conversions of a file the latest is shown, and the previous one is removed from the list', async () => {
  const { service, store, client, rowOf, begin } = setUp()
  const first = testBatch({ id: 'x', createdAt: '2026-11-20T12:00:00.000Z', state: 'done' })
  const second = testBatch({ id: 'y', createdAt: '2026-11-20T13:00:00.000Z' })
  service.batches = [second, first]
  service.items.set('x', [item('1', { id: 'ix', state: 'succeeded' })])
  service.items.set('y', [item('1', { id: 'iy' })])
  await store.getState().restore()
  expect(rowOf('1.jpg').item).toMatchObject({ batchId: 'y', id: 'iy' })
  const third = testBatch({ id: 'z', createdAt: '2026-11-20T14:00:00.000Z' })
  await begin(third, '1.jpg')
  expect(client.removeItems).toHaveBeenCalledWith(['iy'])
  expect(rowOf('1.jpg').item).toMatchObject({ batchId: 'z', state: 'waiting' })
})

test('an item that fails without a job is shown when the service announces it', async () => {
  const { service, jobs, store, rowOf } = setUp()
  service.batches = [testBatch({ id: 'b', counts: testCounts({ waiting: 1 }) })]
  service.items.set('b', [item('1')])
  await store.getState().restore()
  const failed = item('1', {
    batchId: 'b',
    state: 'failed',
    error: { code: 'request.no_files', detail: 'Gone.' },
  })
  jobs.getState().apply({ items: new Map([[failed.id, failed]]) })
  expect(rowOf('1.jpg').item).toMatchObject({ state: 'failed', error: { detail: 'Gone.' } })
})

test('a batch of another window brings its rows, and takes them along when it is removed', async () => {
  const { service, jobs, store, names, rowOf, settle } = setUp()
  service.files = [testFile('2', { addedAt: 9 })]
  await store.getState().restore()
  service.items.set('b', [item('1', { state: 'succeeded', job: testJob({ fileId: '1', batchId: 'b' }) })])
  jobs.getState().apply({ batches: new Map([['b', testBatch({ id: 'b', target: 'webp' })]]) })
  await settle()
  expect(names()).toEqual(['1.jpg', '2.jpg'])
  expect(rowOf('1.jpg')).toMatchObject({ target: 'webp', item: { state: 'succeeded' } })
  jobs.getState().apply({ batches: new Map([['b', null]]) })
  expect(names()).toEqual(['2.jpg'])
})

test('removed files are removed from the service too, except those being converted', async () => {
  const { service, store, client, names } = setUp()
  service.files = [testFile('1', { addedAt: 1 })]
  service.batches = [testBatch({ id: 'b' })]
  service.items.set('b', [
    item('2', { addedAt: 2, state: 'succeeded' }),
    item('3', { addedAt: 3, state: 'running' }),
  ])
  await store.getState().restore()
  store.getState().discard(['1', '2', '3'])
  expect(names()).toEqual(['3.jpg'])
  expect(client.removeFiles).toHaveBeenCalledWith(['1'])
  expect(client.removeItems).toHaveBeenCalledWith(['i-2'])
})

test('a choice applies to the files that support it, and becomes the usual one of their format', async () => {
  const { service, store, rowOf, uploads, add, settle } = setUp()
  const pdf = testFile('2', { name: '2.pdf', format: 'pdf', targets: [testChoice('png'), testChoice('md')] })
  service.files = [testFile('1'), pdf]
  await store.getState().restore()
  store.getState().choose(['1', '2'], testChoice('webp'))
  expect(rowOf('1.jpg').target).toBe('webp')
  expect(rowOf('2.pdf').target).toBeNull()
  add('c.jpg', 'd.png')
  uploads[0]?.resolve(testFile('3', { name: 'c.jpg' }))
  uploads[1]?.resolve(
    testFile('4', { name: 'd.png', format: 'png', targets: [testChoice('gif'), testChoice('jpg')] }),
  )
  await settle()
  expect(rowOf('c.jpg').target).toBe('webp')
  // Like the last converted PNGs; other targets begin with their defaults.
  expect(rowOf('d.png')).toMatchObject({ target: 'jpg', options: { quality: 60 } })
  store.getState().choose([rowOf('d.png').key], testChoice('gif'))
  expect(rowOf('d.png')).toMatchObject({ target: 'gif', options: {} })
})

test('a file of the history returns with its settings, even if its line still exists', async () => {
  const { service, store, names, rowOf } = setUp()
  service.batches = [testBatch({ id: 'b', target: 'webp' })]
  service.items.set('b', [item('1', { state: 'succeeded' })])
  await store.getState().restore()
  for (const id of ['1', '2']) {
    store.getState().reopen({ file: testFile(id), target: 'ico', options: { quality: 9 } })
    expect(rowOf(`${id}.jpg`)).toMatchObject({ target: 'ico', options: { quality: 9 } })
    expect(stageOf(rowOf(`${id}.jpg`))).toBe('ready')
  }
  expect(names()).toEqual(['1.jpg', '2.jpg'])
})

test('a choice for a group also applies to its files that are still being uploaded', async () => {
  const { uploads, store, add, rowOf, settle } = setUp()
  add('a.jpg', 'b.png', 'c.jpg', 'd.pdf')
  const keys = [...store.getState().rows.keys()]
  uploads[0]?.resolve(testFile('1', { name: 'a.jpg' }))
  await settle()
  // Measured already, but not shown yet.
  uploads[1]?.resolve(testFile('2', { name: 'b.png', format: 'png' }))
  store.getState().choose(keys, testChoice('webp'))
  await settle()
  uploads[2]?.resolve(testFile('3', { name: 'c.jpg' }))
  uploads[3]?.resolve(testFile('4', { name: 'd.pdf', format: 'pdf', targets: [testChoice('md')] }))
  await settle()
  expect(keys.map(key => store.getState().rows.get(key)?.target)).toEqual(['webp', 'webp', 'webp', 'md'])
  // A later individual choice wins.
  store.getState().choose([rowOf('c.jpg').key], testChoice('ico'))
  expect(rowOf('c.jpg').target).toBe('ico')
})

test('new files follow the selected preset, until something else is chosen', async () => {
  const { uploads, store, add, rowOf, settle } = setUp()
  const choices = { jpg: { target: 'webp', options: { quality: 70 } } }
  const web = { id: 'web', name: 'web', builtIn: true, lastUsedAt: null, choices }
  store.getState().follow(web, [])
  add('a.jpg', 'b.jpg')
  uploads[0]?.resolve(testFile('1', { name: 'a.jpg' }))
  await settle()
  expect(rowOf('a.jpg')).toMatchObject({ target: 'webp', options: { quality: 70 } })
  store.getState().choose([...store.getState().rows.keys()], testChoice('ico'))
  uploads[1]?.resolve(testFile('2', { name: 'b.jpg' }))
  await settle()
  expect([rowOf('a.jpg').target, rowOf('b.jpg').target]).toEqual(['ico', 'ico'])
})

test('a PDF of a picture is different from a transcript as PDF', async () => {
  const { service, store, rowOf } = setUp()
  const transcript = testChoice('pdf', { job: 'audio.audio-to-pdf', category: 'audio' })
  service.files = [
    testFile('1', { targets: [testChoice('pdf')] }),
    testFile('2', { targets: [transcript, testChoice('wav')] }),
  ]
  await store.getState().restore()
  store.getState().choose(['1', '2'], testChoice('pdf'))
  expect([rowOf('1.jpg').target, rowOf('2.jpg').target]).toEqual(['pdf', null])
})

test('an option is set for all rows at once, and they still count as equal', async () => {
  const { service, store, rowOf } = setUp()
  service.files = [testFile('1'), testFile('2')]
  await store.getState().restore()
  store.getState().setOption(['1', '2'], ['resize', 'enabled'], true)
  expect(rowOf('1.jpg').options).toEqual({ resize: { enabled: true } })
  expect(rowOf('2.jpg').options).toBe(rowOf('1.jpg').options)
})

test('files that the service did not answer for are sent again by themselves, refused and unreadable ones are not', async () => {
  const { uploads, timers, add, rowOf, settle } = setUp()
  add('a.jpg', 'b.jpg', 'c.jpg')
  vi.spyOn(uploads[2]!.file, 'slice').mockImplementation(() => {
    throw new DOMException('gone', 'NotReadableError')
  })
  uploads[0]?.reject(new ApiError(0, unreachable))
  uploads[1]?.reject(new ApiError(413, 'request.file_too_large', 'Too large.'))
  uploads[2]?.reject(new ApiError(0, unreachable))
  await settle()
  expect(['a.jpg', 'b.jpg', 'c.jpg'].map(name => stageOf(rowOf(name)))).toEqual([
    'coming',
    'refused',
    'refused',
  ])
  expect(uploads).toHaveLength(3)
  for (const timer of timers.splice(0)) timer()
  expect(uploads).toHaveLength(4)
  uploads[3]?.resolve(testFile('1', { name: 'a.jpg' }))
  await settle()
  expect(stageOf(rowOf('a.jpg'))).toBe('ready')
  expect(rowOf('a.jpg').problem).toBeNull()
})

test('targets, options, presets and removals are taken back one after another, the latest first', async () => {
  const { store, service, rowOf } = setUp()
  service.files = [
    testFile('1', { name: 'a.jpg', addedAt: 1, targets: [testChoice('webp'), testChoice('png')] }),
  ]
  await store.getState().restore()
  const { choose, setOption, follow } = store.getState()
  const choiceOf = () => ({ target: rowOf('a.jpg').target, options: rowOf('a.jpg').options })
  const first = choiceOf()
  choose(['1'], testChoice('webp'))
  const second = choiceOf()
  setOption(['1'], ['quality'], 60)
  // A slider is one step, however many values it passes.
  setOption(['1'], ['quality'], 70)
  expect(choiceOf()).toEqual({ target: 'webp', options: { quality: 70 } })
  const { undo } = useUndo.getState()
  const choices = { jpg: { target: 'png', options: { resize: 50 } } }
  follow({ id: 'mine', name: 'Mine', builtIn: false, choices, lastUsedAt: null }, ['1'])
  expect(choiceOf()).toEqual({ target: 'png', options: { resize: 50 } })
  undo()
  expect(store.getState().following).toBeNull()
  expect(choiceOf()).toEqual({ target: 'webp', options: { quality: 70 } })
  undo()
  expect(choiceOf()).toEqual(second)
  undo()
  expect(choiceOf()).toEqual(first)
  expect(useUndo.getState().steps).toEqual([])
})
