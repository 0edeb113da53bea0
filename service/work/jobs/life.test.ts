import { availableParallelism } from 'node:os'
import { expect, test, vi } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { kinds } from '../../../testing/fixtures/full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { folderOf, json, sharedService, type TestService, testService } from '../../../testing/service.ts'

interface Accepted {
  id: string
  creditCost: number
}

const shared = sharedService(misbehaving)

const submit = async (service: TestService, behaviour: string, name = 'a.jpg') =>
  json<Accepted>(service.submit(name, behaviour, 'webp'))

const errorOf = async (response: Promise<Response>) => {
  const answer = await response
  return { status: answer.status, error: (await json<{ error: string }>(answer)).error }
}

test('a job is queued, runs, succeeds, and can be downloaded', async () => {
  const service = shared()
  const response = await service.submit('holiday.jpg', 'fine 300', 'webp')
  expect(response.status).toBe(202)
  const accepted = await json<Accepted & { status: string }>(response)
  expect(accepted).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    status: 'Queued',
    creditCost: 1,
  })

  const early = await json(service.call(`/convert/job/${accepted.id}`))
  expect(early).toMatchObject({
    progress: { percent: 0 },
    metrics: { inputBytes: 0, outputBytes: 0, creditCost: 1 },
    error: null,
    output: null,
  })
  expect(await errorOf(service.call(`/convert/job/${accepted.id}/download`))).toEqual({
    status: 409,
    error: 'jobs.not_ready',
  })

  const status = await service.finished(accepted.id)
  expect(status).toEqual({
    id: accepted.id,
    status: 'Succeeded',
    progress: { percent: 100, phase: null },
    metrics: { inputBytes: 8, outputBytes: expect.any(Number), creditCost: 1 },
    error: null,
    output: { fileName: 'holiday.out', contentType: 'text/plain', fileCount: 1 },
  })
  const download = await service.call(`/convert/job/${accepted.id}/download`)
  expect(download.headers.get('content-disposition')).toContain('filename="holiday.out"')
  expect(download.headers.get('content-type')).toMatch('text/plain')
  const content = await download.text()
  expect(content).toMatch(/^fine done/)
  expect(content).toHaveLength(Number(status.metrics?.outputBytes))
})

testFull('a conversion may use the configured cores, or all', async () => {
  for (const cores of [3, undefined]) {
    const service = await testService({ ...misbehaving, ...(cores && { cores }) })
    const status = await service.finished((await submit(service, 'cores')).id)
    expect(status).toMatchObject({ warnings: [String(cores ?? availableParallelism())] })
  }
})

test('queued and running jobs can be canceled, and are refunded', async () => {
  const service = await testService({ ...misbehaving, slots: 1 })
  // It takes a minute, so an answer to the cancel shows that the process was killed.
  const running = await submit(service, 'sleep')
  const queued = await submit(service, 'sleep')
  await expect
    .poll(async () => (await json(service.call(`/convert/job/${running.id}`))).status)
    .toBe('Running')
  expect(await service.balance()).toBe(498)
  for (const { id } of [queued, running]) {
    const response = await service.call(`/convert/job/${id}/cancel`, { method: 'POST' })
    expect(response.status).toBe(202)
    expect(response.headers.get('location')).toBe(`/convert/job/${id}`)
    expect(await response.text()).toBe('')
    expect((await service.finished(id)).status).toBe('Canceled')
    expect(await errorOf(service.call(`/convert/job/${id}/cancel`, { method: 'POST' }))).toEqual({
      status: 409,
      error: 'jobs.not_cancellable',
    })
  }
  expect(await service.balance()).toBe(500)
  await expect.poll(() => service.filesLeft()).toEqual([])
})

test('a terminal job can be deleted together with its files', async () => {
  const service = shared()
  const { id } = await submit(service, 'fine 500')
  expect(await errorOf(service.call(`/convert/job/${id}`, { method: 'DELETE' }))).toEqual({
    status: 409,
    error: 'jobs.not_deletable',
  })
  await service.finished(id)
  const left = async () => (await service.filesLeft()).filter(path => path.includes(id))
  await expect.poll(left).toHaveLength(1)
  expect((await service.call(`/convert/job/${id}`, { method: 'DELETE' })).status).toBe(204)
  await expect.poll(left).toEqual([])
  expect(await errorOf(service.call(`/convert/job/${id}`))).toEqual({ status: 404, error: 'jobs.not_found' })
})

test('an output expires', async () => {
  const service = await testService({ ...misbehaving, retentionSeconds: 1 })
  const { id } = await submit(service, 'fine')
  expect((await service.finished(id)).output).not.toBeNull()
  await expect.poll(async () => (await json(service.call(`/convert/job/${id}`))).output).toBeNull()
  expect(await errorOf(service.call(`/convert/job/${id}/download`))).toEqual({
    status: 410,
    error: 'jobs.expired',
  })
  await expect.poll(() => service.filesLeft()).toEqual([])
  expect((await json(service.call(`/convert/job/${id}`))).status).toBe('Succeeded')
})

if (process.platform !== 'win32')
  testFull(
    'a job whose worker is killed from outside is converted once more, and fails if that happens again',
    async () => {
      const service = await testService(misbehaving)
      const kill = async (id: string) => {
        await expect.poll(() => folderOf(service.home, id)).toContain('workers')
        const { pids } = service.services.pool
        for (const pid of pids) process.kill(pid, 'SIGKILL')
        await expect.poll(() => service.services.pool.pids.some(pid => pids.includes(pid))).toBe(false)
      }
      const { id: once } = await submit(service, 'fine 700')
      await kill(once)
      expect(await service.finished(once)).toMatchObject({ status: 'Succeeded' })
      const { id: twice } = await submit(service, 'sleep')
      await kill(twice)
      await kill(twice)
      expect(await service.finished(twice)).toMatchObject({
        status: 'Failed',
        error: { code: 'jobs.engine_crashed' },
      })
    },
  )

const failures: [behaviour: string, code: string][] = [
  ['segfault', 'jobs.engine_crashed'],
  ['throw', 'jobs.engine_crashed'],
  ['disk-full', 'jobs.disk_full'],
]

test.each(kinds(failures, ([behaviour]) => behaviour === 'segfault'))(
  '%s fails the job, refunds it and leaves nothing',
  async (behaviour, code) => {
    const service = shared()
    const before = await service.balance()
    const { id } = await submit(service, behaviour)
    const status = await service.finished(id)
    expect(status).toMatchObject({
      status: 'Failed',
      error: { code },
      output: null,
      metrics: { creditCost: 1, outputBytes: 0 },
    })
    expect(status.error?.detail.length).toBeGreaterThan(5)
    expect(status.error?.detail.length).toBeLessThanOrEqual(256)
    expect(await errorOf(service.call(`/convert/job/${id}/download`))).toMatchObject({ status: 409 })
    expect(await service.balance()).toBe(before)
    await expect.poll(async () => (await service.filesLeft()).filter(path => path.includes(id))).toEqual([])
  },
)

test('a job that takes too long fails', async () => {
  const service = await testService({ ...misbehaving, jobTimeoutSeconds: 0.5 })
  const { id } = await submit(service, 'hang')
  expect(await service.finished(id)).toMatchObject({ status: 'Failed', error: { code: 'jobs.timeout' } })
  expect(await service.balance()).toBe(500)
})

testFull('a job whose results grow too large fails', async () => {
  const service = await testService({ ...misbehaving, maxOutputBytes: 2 ** 24 })
  const { id } = await submit(service, 'output-flood')
  expect(await service.finished(id)).toMatchObject({
    status: 'Failed',
    error: { code: 'jobs.output_too_large' },
  })
  await expect.poll(() => service.filesLeft()).toEqual([])
})

test('a result that is too large fails, even if it was written between two checks', async () => {
  const service = await testService({ ...misbehaving, maxOutputBytes: 5 })
  const { id } = await submit(service, 'fine')
  expect(await service.finished(id)).toMatchObject({
    status: 'Failed',
    error: { code: 'jobs.output_too_large' },
  })
  expect(await service.balance()).toBe(500)
  await expect.poll(() => service.filesLeft()).toEqual([])
})

test('a job that takes too much memory fails', async () => {
  const service = await testService({ ...misbehaving, memoryLimitMegabytes: 200 })
  const { id } = await submit(service, 'memory-flood')
  expect(await service.finished(id)).toMatchObject({ status: 'Failed', error: { code: 'jobs.too_large' } })
})

test('progress is streamed as server-sent events, and the stream ends with the job', async () => {
  const service = shared()
  const { id } = await submit(service, 'fine 400')
  const stream = await service.call(`/convert/job/${id}/events`)
  expect(stream.headers.get('content-type')).toMatch('text/event-stream')
  const events = (await stream.text())
    .split('\n\n')
    .filter(block => block.startsWith('event: job'))
    .map(block => JSON.parse(block.split('\n')[1]?.slice('data: '.length) ?? ''))
  expect(events.at(-1)).toMatchObject({ status: 'Succeeded', progress: { percent: 100, phase: null } })
  expect(events.map(event => event.status)).toContain('Running')
})

testFull(
  'a job that belongs to no batch costs a host no question about batches, and one each when it ends',
  async () => {
    const service = await testService(misbehaving)
    const { batches, webhooks } = service.services.stores
    const [items, accounts, due] = [
      vi.spyOn(batches, 'itemOfJob'),
      vi.spyOn(batches, 'accountsWaiting'),
      vi.spyOn(webhooks, 'dueIn'),
    ]
    const { id } = await submit(service, 'fine 100')
    await expect.poll(async () => (await service.services.stores.jobs.get(id))?.status).toBe('Succeeded')
    await expect.poll(() => [accounts.mock.calls.length, due.mock.calls.length]).toEqual([1, 1])
    expect(items).not.toHaveBeenCalled()
  },
)
