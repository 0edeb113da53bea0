import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { begun } from '../../../testing/begun.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import type { Batch, StagedFile } from './types.ts'

/** Files whose workers do what their content says. */
const files = (behaviours: readonly string[]) =>
  behaviours.map((behaviour, index) => [`${index}.jpg`, behaviour] as const)

const many = (count: number, behaviour = 'fine') => files(Array.from({ length: count }, () => behaviour))

/** Listens to the live events. */
async function listen(app: Awaited<ReturnType<typeof openApp>>) {
  const stop = new AbortController()
  const stream = await app.call('/app/events', { signal: stop.signal })
  let received = ''
  const reading = (async () => {
    for await (const chunk of stream.body ?? []) received += Buffer.from(chunk as Uint8Array).toString()
  })().catch(() => {})
  return {
    received: () => received,
    /** The data of the events of one kind. */
    published: (kind: string): unknown[] =>
      [...received.matchAll(new RegExp(`event: ${kind}\\ndata: (.*)\\n`, 'g'))].map(([, data]) =>
        JSON.parse(data ?? ''),
      ),
    end: () => {
      stop.abort()
      return reading
    },
  }
}

testFull(
  '14 pictures become WebP, and the counts are always right',
  async () => {
    const service = await testService({ slots: 2 })
    const app = await openApp(service)
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
    const fileIds: string[] = []
    for (let count = 0; count < 14; count++) {
      const file = await json<StagedFile>(app.drop(`${count}.jpg`, new Uint8Array(picture)))
      fileIds.push(file.id)
    }
    expect(await app.waiting()).toHaveLength(14)
    const created = await app.createBatch({
      fileIds,
      targetFormat: 'WEBP',
      options: { metadata: { strip: false } },
    })
    expect(created).toMatchObject({
      source: 'jpg',
      target: 'webp',
      targetLabel: 'WebP',
      state: 'active',
      problem: null,
      destination: { kind: 'keep' },
      counts: { total: 14 },
      finishedAt: null,
    })
    expect(await app.waiting()).toEqual([])
    for (;;) {
      const { state, counts } = (await app.batch(created.id))!
      const { total, ...parts } = counts
      expect(Object.values(parts).reduce((sum, count) => sum + count, 0)).toBe(14)
      expect(counts.queued + counts.running).toBeLessThanOrEqual(12)
      if (state === 'done') break
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    expect(await app.batch(created.id)).toMatchObject({
      state: 'done',
      creditCost: 14,
      finishedAt: expect.any(String),
      counts: { total: 14, waiting: 0, queued: 0, running: 0, succeeded: 14, failed: 0, canceled: 0 },
    })
    expect(await service.balance()).toBe(486)
    const items = await app.items(created.id)
    expect(items.map(({ name }) => name)).toEqual(Array.from({ length: 14 }, (_, index) => `${index}.jpg`))
    const [first] = items
    expect(first).toMatchObject({
      state: 'succeeded',
      error: null,
      savedTo: null,
      job: { batchId: created.id },
    })
    const output = await app.call(`/convert/job/${first?.job?.id}/download`)
    expect((await sharp(await output.arrayBuffer()).metadata()).format).toBe('webp')
  },
  120_000,
)

testFull('a batch leaves places in the queue to others, and keeps its items in order', async () => {
  const service = await testService({ ...misbehaving, slots: 1 })
  const app = await openApp(service)
  const batch = await app.createBatch({ fileIds: await app.stage(many(20, 'sleep')), targetFormat: 'webp' })
  await expect
    .poll(async () => (await app.batch(batch.id))?.counts)
    .toMatchObject({
      waiting: 8,
      queued: 11,
      running: 1,
    })
  for (let count = 0; count < 6; count++) {
    expect((await service.submit('a.jpg', 'fine', 'webp')).status).toBe(202)
  }
  expect((await service.submit('a.jpg', 'fine', 'webp')).status).toBe(429)
  const states = (await app.items(batch.id)).map(({ state }) => state)
  expect(states).toEqual(['running', ...Array(11).fill('queued'), ...Array(8).fill('waiting')])
})

test('nothing is stored if one file cannot be converted as requested', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const [picture = '', sound = ''] = await app.stage([
    ['a.jpg', 'fine'],
    ['a.ogg', 'fine'],
  ])
  const unknown = await json<StagedFile>(app.drop('a.xyz', 'fine'))
  const refusal = async (body: object) => {
    const answer = await app.post('/app/batches', body)
    return [answer.status, (await json(answer)).error]
  }
  const target = { targetFormat: 'webp' }
  expect(await refusal({ ...target, fileIds: [picture, sound] })).toEqual([
    400,
    'convert.unsupported_format_pair',
  ])
  expect(await refusal({ ...target, fileIds: [unknown.id] })).toEqual([
    400,
    'convert.unsupported_source_format',
  ])
  expect(await refusal({ ...target, fileIds: [picture, 'gone'] })).toEqual([400, 'request.no_files'])
  expect(await refusal({ ...target, fileIds: [] })).toEqual([400, 'request.invalid_parameter'])
  expect(await refusal({ ...target, fileIds: [picture], options: { qualty: 1 } })).toEqual([
    400,
    'convert.invalid_options',
  ])
  expect(await app.batches()).toEqual([])
  expect(await app.waiting()).toHaveLength(3)
  expect(await service.balance()).toBe(500)
})

testFull('files of several formats may share a batch', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const fileIds = await app.stage([
    ['a.jpg', 'fine'],
    ['b.heic', 'fine'],
  ])
  const batch = await app.createBatch({ fileIds: [...fileIds, ...fileIds], targetFormat: 'webp' })
  expect(batch).toMatchObject({ source: 'files', counts: { total: 2 } })
  expect(await app.batchIs(batch.id, 'done')).toMatchObject({ counts: { succeeded: 2 } })
})

testFull('an item that fails does not affect the others, and a retry is a separate job', async () => {
  const service = await testService({ ...misbehaving, slots: 2 })
  const app = await openApp(service)
  const fileIds = await app.stage(files(['fine', 'throw', 'fine', 'fine']))
  const batch = await app.createBatch({ fileIds, targetFormat: 'webp' })
  expect(await app.batchIs(batch.id, 'done')).toMatchObject({
    counts: { succeeded: 3, failed: 1 },
    creditCost: 3,
  })
  const failed = (await app.items(batch.id))[1]
  expect(failed).toMatchObject({
    state: 'failed',
    error: { code: 'jobs.engine_crashed' },
    job: { canRetry: true },
  })
  const again = await json<{ id: string }>(app.post(`/app/jobs/${failed?.job?.id}/retry`, {}))
  expect(await app.finished(again.id)).toMatchObject({ batchId: null, status: 'Failed' })
})

test('without credits it pauses, says why, and resumes automatically after a top-up', async () => {
  const service = await testService({ ...misbehaving, freeCredits: 3 })
  const app = await openApp(service)
  const batch = await app.createBatch({ fileIds: await app.stage(many(7)), targetFormat: 'webp' })
  const paused = await app.batchIs(batch.id, 'paused')
  expect(paused.problem).toEqual({
    code: 'entitlements.insufficient_credits',
    detail: 'The next file costs 1 credit, and none is left. Top up, and the batch resumes.',
  })
  await expect
    .poll(async () => (await app.batch(batch.id))?.counts)
    .toMatchObject({ succeeded: 3, waiting: 4 })
  await app.post('/app/credits/top-up', { amount: 2 })
  await expect
    .poll(async () => (await app.batch(batch.id))?.counts)
    .toMatchObject({ succeeded: 5, waiting: 2 })
  await app.batchIs(batch.id, 'paused')
  const resumed = await json<Batch>(app.post(`/app/batches/${batch.id}/resume`, {}))
  expect(resumed.problem).toBeNull()
  await app.batchIs(batch.id, 'paused')
  await app.post('/app/credits/top-up', { amount: 100 })
  expect(await app.batchIs(batch.id, 'done')).toMatchObject({ counts: { succeeded: 7 }, problem: null })
  expect(await service.balance()).toBe(98)
})

testFull('a batch paused by a person does not resume after a top-up', async () => {
  const service = await testService({ ...misbehaving, slots: 1 })
  const app = await openApp(service)
  const fileIds = await app.stage(files(['begin', ...Array(14).fill('fine')]))
  const batch = await app.createBatch({ fileIds, targetFormat: 'webp' })
  await expect.poll(async () => (await app.batch(batch.id))?.counts).toMatchObject({ waiting: 3, running: 1 })
  const goOn = await begun(service.home, (await app.items(batch.id))[0]?.job?.id ?? '')
  const paused = await json<Batch>(app.post(`/app/batches/${batch.id}/pause`, {}))
  expect(paused).toMatchObject({ state: 'paused', problem: null })
  await app.post('/app/credits/top-up', { amount: 2 })
  // Jobs in the queue continue.
  await goOn()
  await expect.poll(async () => (await app.batch(batch.id))?.counts.queued).toBe(0)
  await expect.poll(async () => (await app.batch(batch.id))?.counts.running).toBe(0)
  const still = (await app.batch(batch.id))!
  expect(still.state).toBe('paused')
  expect(still.counts).toMatchObject({ succeeded: 12, waiting: 3 })
  await app.post(`/app/batches/${batch.id}/resume`, {})
  expect(await app.batchIs(batch.id, 'done')).toMatchObject({ counts: { succeeded: 15 } })
})

test('canceling ends waiting and running items, and refunds the credits', async () => {
  const service = await testService({ ...misbehaving, slots: 2 })
  const app = await openApp(service)
  const batch = await app.createBatch({ fileIds: await app.stage(many(15, 'sleep')), targetFormat: 'webp' })
  await expect.poll(async () => (await app.batch(batch.id))?.counts.running).toBe(2)
  const canceled = await json<Batch>(app.post(`/app/batches/${batch.id}/cancel`, {}))
  expect(canceled).toMatchObject({
    state: 'canceled',
    counts: { total: 15, canceled: 15, running: 0, queued: 0, waiting: 0 },
    creditCost: 0,
    finishedAt: expect.any(String),
  })
  expect(await service.balance()).toBe(500)
  expect(await json<Batch>(app.post(`/app/batches/${batch.id}/resume`, {}))).toMatchObject({
    state: 'canceled',
  })
})

testFull('a single file of a batch can be canceled, whether it is running or waiting', async () => {
  const service = await testService({ ...misbehaving, slots: 1 })
  const app = await openApp(service)
  const batch = await app.createBatch({
    fileIds: await app.stage(files(['sleep', ...Array(14).fill('fine')])),
    targetFormat: 'webp',
  })
  const live = await listen(app)
  await expect.poll(async () => (await app.items(batch.id))[0]?.state).toBe('running')
  const items = await app.items(batch.id)
  expect(items[14]?.state).toBe('waiting')
  for (const index of [14, 0]) {
    expect((await app.post(`/app/batches/${batch.id}/items/${items[index]?.id}/cancel`, {})).status).toBe(204)
  }
  expect((await app.batchIs(batch.id, 'done')).counts).toMatchObject({ succeeded: 13, canceled: 2 })
  // Only the one without a job has an event of its own.
  expect(live.published('item')).toMatchObject([{ id: items[14]?.id, batchId: batch.id, state: 'canceled' }])
  await live.end()
})

testFull(
  'failed files are converted again as a separate batch, and ended items can be removed from the list',
  async () => {
    const service = await testService(misbehaving)
    const app = await openApp(service)
    const fileIds = await app.stage(files(['fine', 'throw', 'throw']))
    const batch = await app.createBatch({ fileIds, targetFormat: 'webp', options: { quality: 7 } })
    await app.batchIs(batch.id, 'done')
    const items = await app.items(batch.id)
    expect(items.map(({ fileId, format, formatLabel }) => [fileId, format, formatLabel])).toEqual(
      fileIds.map(id => [id, 'jpg', 'JPEG']),
    )
    const failed = items.filter(({ state }) => state === 'failed').map(({ id }) => id)
    expect(failed).toHaveLength(2)
    const again = await json<Batch>(app.post(`/app/batches/${batch.id}/retry`, { items: failed }))
    expect(again).toMatchObject({ target: 'webp', options: { quality: 7 }, counts: { total: 2 } })
    expect((await app.post(`/app/batches/${again.id}/retry`, { items: failed })).status).toBe(404)
    await app.batchIs(again.id, 'done')

    expect((await app.post('/app/items/remove', { ids: failed })).status).toBe(204)
    expect(await app.batch(batch.id)).toMatchObject({ counts: { total: 1, succeeded: 1 }, inputBytes: 4 })
    await app.post('/app/items/remove', { ids: items.map(({ id }) => id) })
    expect(await app.batch(batch.id)).toBeUndefined()
  },
)

testFull('changes are sent as events, a few for many jobs and the last state at the end', async () => {
  const service = await testService({ ...misbehaving, slots: 6 })
  const app = await openApp(service)
  const live = await listen(app)
  const started = Date.now()
  const batch = await app.createBatch({ fileIds: await app.stage(many(24)), targetFormat: 'webp' })
  await app.batchIs(batch.id, 'done')
  const published = () => live.published('batch') as Batch[]
  await expect.poll(() => published().at(-1)).toMatchObject({ state: 'done', counts: { succeeded: 24 } })
  expect(published().length).toBeLessThanOrEqual(3 + (Date.now() - started) / 150)
  expect(live.received()).toContain(`"batchId":"${batch.id}"`)
  await app.post('/app/items/remove', { ids: (await app.items(batch.id)).map(({ id }) => id) })
  await expect.poll(live.received).toContain(`event: batch-removed\ndata: {"id":"${batch.id}"}`)
  await live.end()
})

test('API keys cannot access any of it, and another account sees none of it', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const batch = await app.createBatch({ fileIds: await app.stage(many(1, 'sleep')), targetFormat: 'webp' })
  const paths = [
    ['GET', '/app/files'],
    ['POST', '/app/files'],
    ['GET', '/app/batches'],
    ['POST', '/app/batches'],
    ['GET', `/app/batches/${batch.id}/items`],
    ['POST', `/app/batches/${batch.id}/pause`],
    ['POST', `/app/batches/${batch.id}/cancel`],
  ] as const
  for (const [method, path] of paths) {
    const body = method === 'POST' ? JSON.stringify({ path: '/etc/hostname' }) : null
    const headers = { 'content-type': 'application/json' }
    const answer = await service.call(path, body ? { method, body, headers } : { method })
    expect([path, answer.status]).toEqual([path, 401])
  }
  const { accounts, batches } = service.services
  const other = await accounts.create('Other')
  await expect(batches.get(batch.id, other.id)).rejects.toMatchObject({ code: 'request.not_found' })
  await expect(batches.cancel(batch.id, other.id)).rejects.toMatchObject({ code: 'request.not_found' })
  expect(await batches.list(other.id)).toEqual([])
})

test('a batch that is submitted again under its key is the same batch, also at once', async () => {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const fileIds = await app.stage(many(2))
  const send = (key: string) =>
    app.call('/app/batches', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ fileIds, targetFormat: 'webp' }),
    })
  const answers = await Promise.all(['one', 'one', 'one'].map(send))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  const ids = await Promise.all(answers.map(async answer => (await json<Batch>(answer)).id))
  expect(new Set(ids).size).toBe(1)
  await app.batchIs(ids[0]!, 'done')
  expect(await json<Batch>(send('one'))).toMatchObject({ id: ids[0], counts: { total: 2, succeeded: 2 } })
  expect((await json<Batch>(send('two'))).id).not.toBe(ids[0])
})
