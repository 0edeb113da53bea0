import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import type {
  AppJob,
  Batch,
  CreatedApiKey,
  HistoryPage,
  Program,
  Reopened,
  StagedFile,
  TargetChoice,
} from './types.ts'

const MISSING = '019a0000-0000-7000-8000-000000000000'

testFull(
  'the history has a row for each file and target, with its attempts, whoever repeats it',
  async () => {
    const service = await testService(misbehaving)
    const app = await openApp(service)
    const fileIds = await app.stage([['summer.jpg', 'throw']])
    const { id } = await app.convert(fileIds[0], 'webp')
    await app.finished(id)
    const again = await json<AppJob>(app.post(`/app/jobs/${id}/retry`, {}))
    await app.finished(again.id)

    const batch = await app.createBatch({
      fileIds: await app.stage([['b.jpg', 'throw']]),
      targetFormat: 'png',
    })
    await app.batchIs(batch.id, 'done')
    const items = (await app.items(batch.id)).map(item => item.id)
    const second = await json<Batch>(app.post(`/app/batches/${batch.id}/retry`, { items }))
    await app.batchIs(second.id, 'done')

    const page = await json<HistoryPage>(app.call('/app/history'))
    expect(page).toMatchObject({
      items: [
        { inputName: 'b.jpg', target: 'png', status: 'Failed', tries: 2, batchId: second.id },
        { id: again.id, inputName: 'summer.jpg', status: 'Failed', tries: 2, keyName: null },
      ],
      next: null,
      total: 2,
    })
    const attempts = await json<AppJob[]>(app.call(`/app/history/${id}/attempts`))
    expect(attempts.map(job => job.id)).toEqual([again.id, id])
    const first = await json<HistoryPage>(app.call('/app/history?limit=1&search=JPG'))
    expect(first).toMatchObject({ total: 2, items: [{ inputName: 'b.jpg' }] })
    const rest = await json<HistoryPage>(app.call(`/app/history?limit=1&search=JPG&before=${first.next}`))
    expect(rest).toMatchObject({ total: null, items: [{ inputName: 'summer.jpg' }] })
    expect((await json<HistoryPage>(app.call('/app/history?state=succeeded'))).items).toEqual([])
    expect((await app.call('/app/history?from=yesterday')).status).toBe(400)
    expect((await app.call('/app/history?state=lost')).status).toBe(400)

    expect((await app.call(`/app/history/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await json<HistoryPage>(app.call('/app/history'))).total).toBe(1)
    expect((await app.call(`/app/history/${again.id}/attempts`)).status).toBe(404)
    expect(await json(app.post('/app/history/clear', { category: 'audio' }))).toEqual({ removed: 0 })
    expect(await json(app.post('/app/history/clear', {}))).toEqual({ removed: 2 })
    // The ledger has all amounts, and no names.
    const ledger = await (await app.call('/app/ledger.csv')).text()
    expect(ledger).toMatch(/,charge,-1,image\.jpg-to-webp,images,/)
    expect(ledger).not.toMatch(/\.jpg[",]/i)
    expect(await service.filesLeft()).not.toContainEqual(expect.stringContaining('output'))
  },
)

test('open jobs stay in the history until they are canceled', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const [fileId] = await app.stage([['a.jpg', 'sleep']])
  const { id } = await app.convert(fileId, 'webp')
  expect((await json<HistoryPage>(app.call('/app/history?state=open'))).items).toMatchObject([{ id }])
  expect((await app.call(`/app/history/${id}`, { method: 'DELETE' })).status).toBe(409)
  expect(await json(app.post('/app/history/clear', {}))).toEqual({ removed: 0 })
  await app.post(`/convert/job/${id}/cancel`, {})
  expect((await app.call(`/app/history/${id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await app.call(`/app/history/${MISSING}`, { method: 'DELETE' })).status).toBe(404)
})

testFull(
  'the input of a job can be reopened while it exists, a file of this machine even after its retention',
  async () => {
    const service = await testService(misbehaving)
    const app = await openApp(service)
    const convert = async (fileId: string | undefined) => {
      const job = await app.convert(fileId, 'webp')
      await app.finished(job.id)
      return job.id
    }
    const reopen = (id: string) => app.post(`/app/history/${id}/reopen`, {})
    const [fileId] = await app.stage([['a.jpg', 'fine']])
    const uploaded = await convert(fileId)
    expect(await json<Reopened>(reopen(uploaded))).toMatchObject({
      file: { id: fileId, name: 'a.jpg' },
      target: 'webp',
    })
    await app.post('/app/files/remove', { ids: [fileId] })
    const gone = await reopen(uploaded)
    expect({ status: gone.status, error: (await json(gone)).error }).toEqual({
      status: 400,
      error: 'request.no_files',
    })

    const program = await json<{ id: string }>(service.submit('c.jpg', 'fine', 'webp'))
    await service.finished(program.id)
    expect((await reopen(program.id)).status).toBe(400)
  },
)

testFull('a file of this machine is found again by its path', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const path = join(service.home, '..', `refile-${process.pid}-here.jpg`)
  await writeFile(path, 'fine')
  try {
    const { id } = await json<StagedFile>(app.post('/app/files', { path }))
    const job = await app.convert(id, 'webp')
    await app.finished(job.id)
    const source = (await service.services.stores.jobs.get(job.id))?.inputSource
    await app.post('/app/files/remove', { ids: [id] })
    const staged = async () => (await app.waiting()).map(file => file.name)
    const targets = await app.call(`/app/history/${job.id}/targets`)
    expect(await staged()).toEqual([])
    const answer = await app.post(`/app/history/${job.id}/reopen`, {})
    // If the disk shares bytes, the job has its own copy and knows no path.
    if (source?.kind !== 'path') return expect([targets.status, answer.status]).toEqual([400, 400])
    expect(await json<TargetChoice[]>(targets)).toContainEqual(expect.objectContaining({ target: 'webp' }))
    expect(answer.status).toBe(201)
    expect(await staged()).toHaveLength(1)
  } finally {
    await rm(path, { force: true })
  }
})

testFull('programs are distinguished by their keys, with the results of their jobs', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const { id: keyId, secret } = await json<CreatedApiKey>(app.post('/app/keys', { name: 'Scanner' }))
  for (const behaviour of ['fine', 'throw']) {
    const { id } = await json<{ id: string }>(service.submit('a.jpg', behaviour, 'webp', {}, secret))
    await service.finished(id)
  }
  const { id: open } = await json<{ id: string }>(service.submit('a.jpg', 'sleep', 'webp', {}, secret))
  await expect.poll(async () => (await app.job(open))?.status).toBe('Running')
  expect(await json<Program[]>(app.call('/app/programs'))).toMatchObject([
    { keyId, name: 'Scanner', queued: 0, running: 1, succeeded: 1, failed: 1, canceled: 0 },
  ])
  const page = await json<HistoryPage>(app.call(`/app/history?keyId=${keyId}`))
  expect(page).toMatchObject({ total: 3 })
  expect(page.items[0]).toMatchObject({ id: open, origin: 'api', keyId, keyName: 'Scanner' })
  expect((await app.post(`/convert/job/${open}/cancel`, {})).status).toBe(202)
  await app.call(`/app/keys/${keyId}`, { method: 'DELETE' })
  expect(await json<Program[]>(app.call('/app/programs'))).toMatchObject([
    { keyId, name: 'Scanner', running: 0, canceled: 1 },
  ])
})
