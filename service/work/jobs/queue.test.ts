import { expect, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import { engines } from '../../convert/catalogue/engines.ts'

type Service = Awaited<ReturnType<typeof testService>>

const statuses = async (service: Service, ids: string[]) =>
  Promise.all(ids.map(async id => String((await json(service.call(`/convert/job/${id}`))).status)))

const submitted = async (response: Promise<Response>) => (await json<{ id: string }>(response)).id

test('an account runs 6 jobs at once and has at most 18 open; the 19th is refused, not charged and not kept', async () => {
  const service = await testService({ ...misbehaving, slots: 10 })
  const ids: string[] = []
  for (let count = 0; count < 18; count++) ids.push(await submitted(service.submit('a.jpg', 'sleep', 'webp')))
  await expect
    .poll(async () => (await statuses(service, ids)).filter(status => status === 'Running').length)
    .toBe(6)
  const refused = await service.submit('a.jpg', 'sleep', 'webp')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect((await json(refused)).error).toBe('queue.limit_exceeded')
  expect(await service.balance()).toBe(482)
  expect(await service.services.stores.blobs.list('jobs')).toHaveLength(18)
  // A finished job makes room: one more runs, and one more may be submitted.
  await service.call(`/convert/job/${ids[0]}/cancel`, { method: 'POST' })
  expect((await service.submit('a.jpg', 'sleep', 'webp')).status).toBe(202)
  await expect
    .poll(async () => (await statuses(service, ids)).filter(status => status === 'Running').length)
    .toBe(6)
})

test('an account without running jobs gets a slot at once, whatever another one uses', async () => {
  const service = await testService({ ...misbehaving, slots: 6 })
  const { accounts, keys } = service.services
  const [second, third] = await Promise.all(
    ['Second', 'Third'].map(
      async name => (await keys.create((await accounts.create(name)).id, { name })).secret,
    ),
  )
  const held: string[] = []
  for (let count = 0; count < 7; count++) held.push(await submitted(service.submit('a.jpg', 'sleep', 'webp')))
  const running = Array<string>(6).fill('Running')
  await expect.poll(() => statuses(service, held)).toEqual([...running, 'Queued'])
  const statusOf = async (id: string, key: string) =>
    (await json(service.call(`/convert/job/${id}`, { key }))).status
  for (const key of [second!, third!]) {
    const slow = await submitted(service.submit('a.jpg', 'sleep', 'webp', {}, key))
    const other = await submitted(service.submit('a.jpg', 'sleep', 'webp', {}, key))
    await expect.poll(() => statusOf(slow, key)).toBe('Running')
    expect(await statusOf(other, key)).toBe('Queued')
  }
  // Slots opened for others are not available to the account that used all slots.
  expect(await statuses(service, held)).toEqual([...running, 'Queued'])
})

testFull('while one account keeps its queue full, each job of another one starts in its turn', async () => {
  const slots = 2
  const service = await testService({ ...misbehaving, slots })
  const { accounts, keys, stores } = service.services
  const owner = await accounts.owner()
  const other = await accounts.create('Other')
  const { secret } = await keys.create(other.id, { name: 'Other' })
  let isOver = false
  let refused = 0
  const flood = async () => {
    while (!isOver) {
      const { status } = await service.submit('a.jpg', 'fine 20', 'webp')
      if (status === 429) refused++
    }
  }
  const flooding = Promise.all(Array.from({ length: 3 }, flood))
  await expect.poll(() => refused).toBeGreaterThan(0)
  for (let count = 0; count < 4; count++) {
    const id = await submitted(service.submit('b.jpg', 'fine 20', 'webp', {}, secret))
    await expect.poll(async () => (await stores.jobs.get(id))?.status).toBe('Succeeded')
  }
  isOver = true
  await flooding
  const flooded = await stores.jobs.list(owner.id, null, 1000)
  for (const { createdAt, startedAt } of await stores.jobs.list(other.id, null, 10)) {
    const before = flooded.filter(job => job.startedAt! > createdAt && job.startedAt! < startedAt!)
    expect(before.length).toBeLessThanOrEqual(slots)
  }
})

testFull('an account that waits for its turn keeps its order', async () => {
  const service = await testService({ ...misbehaving, slots: 1 })
  const order: string[] = []
  service.services.stores.events.subscribe(event => {
    if (event.type === 'progress' && !order.includes(event.jobId)) order.push(event.jobId)
  })
  const ids = [await submitted(service.submit('first.jpg', 'fine 300', 'webp'))]
  for (let count = 0; count < 3; count++) ids.push(await submitted(service.submit('a.jpg', 'fine', 'webp')))
  await expect.poll(() => order).toEqual(ids)
})

testFull('a converter runs no more jobs at once than it allows', async () => {
  const service = await testService({ ...misbehaving, slots: 6 })
  const converter = service.services.catalogue.byJob('image.jpg-to-webp')!
  const { concurrent } = converter.limits
  converter.limits.concurrent = 2
  try {
    const ids: string[] = []
    for (let count = 0; count < 4; count++)
      ids.push(await submitted(service.submit('a.jpg', 'sleep', 'webp')))
    const other = await submitted(service.submit('a.jpg', 'sleep', 'png'))
    await expect
      .poll(() => statuses(service, [...ids, other]))
      .toEqual(['Running', 'Running', 'Queued', 'Queued', 'Running'])
    await service.call(`/convert/job/${ids[0]}/cancel`, { method: 'POST' })
    await expect.poll(() => statuses(service, ids)).toEqual(['Canceled', 'Running', 'Running', 'Queued'])
  } finally {
    converter.limits.concurrent = concurrent
  }
})

testFull('an engine runs no more jobs at once than it allows, over all its converters', async () => {
  const service = await testService({ ...misbehaving, slots: 6 })
  const { pixels } = engines
  const { atOnce } = pixels
  pixels.atOnce = 2
  try {
    const ids: string[] = []
    for (const target of ['webp', 'png', 'avif'])
      ids.push(await submitted(service.submit('a.jpg', 'sleep', target)))
    const other = await submitted(service.submit('a.mp3', 'sleep', 'wav'))
    await expect
      .poll(() => statuses(service, [...ids, other]))
      .toEqual(['Running', 'Running', 'Queued', 'Running'])
    await service.call(`/convert/job/${ids[0]}/cancel`, { method: 'POST' })
    await expect.poll(() => statuses(service, ids)).toEqual(['Canceled', 'Running', 'Running'])
  } finally {
    pixels.atOnce = atOnce
  }
})
