import { expect, test, vi } from 'vitest'
import type { StagedFile } from '../../service/app/types.ts'
import { ApiError, canceled } from '../api/errors.ts'
import { createConvertStore } from './store.ts'

const staged = (id: string): StagedFile => ({
  id,
  name: `${id}.png`,
  bytes: 3,
  format: 'png',
  formatLabel: 'PNG',
  targets: [],
  relativePath: null,
  pages: null,
  minutes: null,
  addedAt: 1,
  problem: null,
})

/** Uploads that end when the test says so. */
function setUp() {
  const uploads: {
    name: string
    relativePath: string | null
    progress: (share: number) => void
    resolve: (file: StagedFile) => void
    reject: (error: unknown) => void
  }[] = []
  const timers: (() => void)[] = []
  const client = {
    schema: vi.fn(),
    removeFile: vi.fn(async () => {}),
    stagedFiles: vi.fn(async (): Promise<StagedFile[]> => []),
  }
  const store = createConvertStore({
    client,
    stage: (file, relativePath, progress) => {
      const { promise, resolve, reject } = Promise.withResolvers<StagedFile>()
      uploads.push({ name: file.name, relativePath, progress, resolve, reject })
      return { done: promise, abort: () => reject(new ApiError(0, canceled)) }
    },
    later: run => timers.push(run),
    schedule: run => run(),
  })
  const phases = () => [...store.getState().entries.values()].map(entry => entry.phase)
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  return { store, client, uploads, timers, phases, settle }
}

const files = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    file: new File(['abc'], `f${index}.png`),
    relativePath: index === 0 ? 'trip/f0.png' : null,
  }))

test('uploads three at a time, in order', async () => {
  const { store, uploads, phases, settle } = setUp()
  store.getState().addFiles(files(5))
  expect(uploads.map(upload => upload.name)).toEqual(['f0.png', 'f1.png', 'f2.png'])
  expect(uploads.map(upload => upload.relativePath)).toEqual(['trip/f0.png', null, null])
  expect(phases()).toEqual(['sending', 'sending', 'sending', 'waiting', 'waiting'])
  uploads[1]?.resolve(staged('s1'))
  await settle()
  expect(uploads.map(upload => upload.name)).toEqual(['f0.png', 'f1.png', 'f2.png', 'f3.png'])
  expect(phases()).toEqual(['sending', 'staged', 'sending', 'sending', 'waiting'])
})

test('shows progress, and measuring once all is sent', () => {
  const { store, uploads, phases } = setUp()
  store.getState().addFiles(files(1))
  uploads[0]?.progress(0.4)
  expect([...store.getState().entries.values()][0]?.sent).toBe(0.4)
  uploads[0]?.progress(1)
  expect(phases()).toEqual(['measuring'])
})

test('a refused file keeps its reason, the others go on', async () => {
  const { store, uploads, settle } = setUp()
  store.getState().addFiles(files(4))
  uploads[0]?.reject(new ApiError(400, 'request.empty_file', 'The file is empty.'))
  await settle()
  expect([...store.getState().entries.values()][0]).toMatchObject({
    phase: 'failed',
    problem: 'The file is empty.',
  })
  expect(uploads).toHaveLength(4)
})

test('429 makes a file wait and be sent again', async () => {
  const { store, uploads, timers, phases, settle } = setUp()
  store.getState().addFiles(files(1))
  uploads[0]?.reject(new ApiError(429, 'rate_limited', null, 2))
  await settle()
  expect(phases()).toEqual(['waiting'])
  expect(uploads).toHaveLength(1)
  timers[0]?.()
  uploads[1]?.resolve(staged('s'))
  await settle()
  expect(phases()).toEqual(['staged'])
})

test('removing takes a file out here and at the service, and stops its upload', async () => {
  const { store, client, uploads, settle } = setUp()
  store.getState().addFiles(files(2))
  uploads[0]?.resolve(staged('s0'))
  await settle()
  store.getState().remove([...store.getState().entries.keys()])
  await settle()
  expect(client.removeFile).toHaveBeenCalledExactlyOnceWith('s0')
  expect(store.getState().entries.size).toBe(0)
})

test('what was staged before the page was loaded comes back, nothing twice', async () => {
  const { store, client, uploads, phases, settle } = setUp()
  client.stagedFiles.mockResolvedValue([staged('s0'), staged('s1')])
  store.getState().addFiles(files(1))
  uploads[0]?.resolve(staged('s0'))
  await settle()
  await store.getState().restore()
  expect(phases()).toEqual(['staged', 'staged'])
  store.getState().addStaged([{ name: 's1.png', file: staged('s1'), problem: null }])
  expect([...store.getState().entries.values()].map(entry => entry.staged?.id)).toEqual(['s0', 's1'])
})
