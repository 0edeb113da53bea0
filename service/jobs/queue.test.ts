import { expect, test } from 'vitest'
import { engines } from '../catalogue/engines.ts'
import { misbehaving } from '../test/misbehaving.ts'
import { json, testService } from '../test/service.ts'

type Service = Awaited<ReturnType<typeof testService>>

const statuses = async (service: Service, ids: string[]) =>
  Promise.all(ids.map(async id => String((await json(service.call(`/convert/job/${id}`))).status)))

const submitted = async (response: Promise<Response>) => (await json<{ id: string }>(response)).id

test('an account runs 6 jobs at once and has at most 18 open; the 19th is refused and not charged', async () => {
  const service = await testService({ ...misbehaving, slots: 10 })
  const ids: string[] = []
  for (let count = 0; count < 18; count++) ids.push(await submitted(service.submit('a.jpg', 'sleep', 'webp')))
  await expect
    .poll(async () => (await statuses(service, ids)).filter(status => status === 'Running').length, {
      timeout: 10_000,
    })
    .toBe(6)
  const refused = await service.submit('a.jpg', 'sleep', 'webp')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect((await json(refused)).error).toBe('queue.limit_exceeded')
  expect(await service.balance()).toBe(482)
  // A finished job makes room: one more runs, and one more may be submitted.
  await service.call(`/convert/job/${ids[0]}/cancel`, { method: 'POST' })
  expect((await service.submit('a.jpg', 'sleep', 'webp')).status).toBe(202)
  await expect
    .poll(async () => (await statuses(service, ids)).filter(status => status === 'Running').length, {
      timeout: 10_000,
    })
    .toBe(6)
})

test('accounts take turns, and each account keeps its order', async () => {
  const service = await testService({ ...misbehaving, slots: 1 })
  const { accounts, keys, stores } = service.services
  const guest = await accounts.create('Guest')
  const guestKey = (await keys.create(guest.id, { name: 'test' })).secret
  const order: string[] = []
  const names = new Map<string, string>()
  stores.events.subscribe(event => {
    if (event.type === 'progress' && !order.includes(event.jobId)) order.push(event.jobId)
  })
  const first = await submitted(service.submit('first.jpg', 'fine 300', 'webp'))
  for (const [name, key] of [
    ['owner-1', service.key],
    ['owner-2', service.key],
    ['owner-3', service.key],
    ['guest-1', guestKey],
    ['guest-2', guestKey],
  ] as const) {
    names.set(await submitted(service.submit('a.jpg', 'fine', 'webp', {}, key)), name)
  }
  await expect.poll(() => order.length, { timeout: 10_000 }).toBe(6)
  expect(order[0]).toBe(first)
  expect(order.slice(1).map(id => names.get(id))).toEqual([
    'guest-1',
    'owner-1',
    'guest-2',
    'owner-2',
    'owner-3',
  ])
})

test('a converter runs no more jobs at once than it allows', async () => {
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

test('an engine runs no more jobs at once than it allows, over all its converters', async () => {
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
