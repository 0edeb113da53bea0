import { expect, onTestFinished, test, vi } from 'vitest'
import { embeddedStores } from '../../../testing/stores.ts'
import { message } from '../../shared/messages/message.ts'
import { OutboundError } from '../../shared/net/errors.ts'
import type { Outbound, OutboundRequest } from '../../shared/net/outbound.ts'
import { running, setUp } from '../../store/contract/fixtures.ts'
import { jobEvent } from '../../store/interfaces/events.ts'
import { WebhookDeliverer } from './deliverer.ts'

const webhook = { url: 'https://hooks.example/', secret: 'sixteen letters!', events: ['failed'] } as const
const DELAYS_MS = [10, 20, 30, 40]

/** A receiver that gives these answers one after the other, repeating the last. */
async function deliverTo(...answers: (number | Error | 'nothing' | (() => number))[]) {
  const { stores, account } = await setUp(embeddedStores)
  const requests: OutboundRequest[] = []
  const outbound: Outbound = async (url, request) => {
    requests.push(request)
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? 200
    if (answer instanceof Error) throw answer
    if (answer === 'nothing') {
      return new Promise((_, reject) =>
        request.signal?.addEventListener('abort', () => reject(request.signal?.reason)),
      )
    }
    return {
      status: typeof answer === 'number' ? answer : answer(),
      headers: new Headers(),
      url,
      body: (async function* () {})(),
      [Symbol.asyncDispose]: async () => {},
    }
  }
  const errors: unknown[] = []
  const deliverer = new WebhookDeliverer({
    stores,
    outbound,
    publicUrl: () => 'http://127.0.0.1:7421',
    onError: error => errors.push(error),
    retryDelaysMs: DELAYS_MS,
    answerTimeoutMs: 100,
  })
  deliverer.start()
  onTestFinished(() => deliverer.stop())
  const job = await running(stores, account.id, { webhook: { ...webhook, events: [...webhook.events] } })
  await stores.jobs.fail(job, { code: 'jobs.timeout', reason: message('jobs.timeout') }, [])
  stores.events.publish(jobEvent(job, 'ended'))
  const over = async () => {
    const last = async () => (await stores.webhooks.list(account.id, 1))[0]
    await expect.poll(async () => (await last())?.state).toMatch(/delivered|failed/)
    return last()
  }
  return { requests, over, errors, stores, account, deliverer }
}

const unreachable = new OutboundError(
  'unreachable',
  message('network.unreachable', { host: 'hooks.example' }),
)

test.each([200, 204, 299])('status %i counts as delivered', async status => {
  const { requests, over } = await deliverTo(status)
  expect(await over()).toMatchObject({ state: 'delivered', lastStatus: status, attempts: 1, problem: null })
  expect(requests).toHaveLength(1)
})

test.each([301, 302, 400, 401, 404, 410])('status %i is final', async status => {
  const { requests, over } = await deliverTo(status)
  expect(await over()).toMatchObject({ state: 'failed', lastStatus: status, attempts: 1 })
  expect(requests).toHaveLength(1)
})

test('429, 5xx, a lost connection and silence are retried, up to five attempts, as the same event', async () => {
  const { requests, over } = await deliverTo(429, 503, unreachable, 'nothing', 500)
  expect(await over()).toMatchObject({ state: 'failed', lastStatus: 500, attempts: 5 })
  const bodies = requests.map(({ body }) => JSON.parse(String(body)))
  expect(bodies.map(({ deliveryAttempt }) => deliveryAttempt)).toEqual([1, 2, 3, 4, 5])
  expect(new Set(bodies.map(({ eventId }) => eventId)).size).toBe(1)
  expect(requests.map(({ headers }) => headers?.['x-service-delivery-attempt'])).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
  ])
  expect(requests.every(({ maxRedirects, method }) => maxRedirects === 0 && method === 'POST')).toBe(true)
})

test.each([-1, 1])('setting the clock by %i hours delays no attempt', async hours => {
  const real = Date.now
  const clock = vi.spyOn(Date, 'now')
  onTestFinished(() => clock.mockRestore())
  const setClock = () => {
    clock.mockImplementation(() => real() + hours * 3600_000)
    return 503
  }
  const { requests, over } = await deliverTo(setClock, 503, 200)
  expect(await over()).toMatchObject({ state: 'delivered', attempts: 3 })
  expect(requests).toHaveLength(3)
})

test('a successful attempt is the last, and a replay starts again', async () => {
  const { requests, over, stores, account, deliverer } = await deliverTo(500, 200)
  const delivery = await over()
  expect(delivery).toMatchObject({ state: 'delivered', attempts: 2 })
  await stores.webhooks.replay(delivery!.eventId, account.id)
  deliverer.wake()
  expect(await over()).toMatchObject({ state: 'delivered', attempts: 1 })
  expect(requests.map(({ headers }) => headers?.['x-service-event-id'])).toEqual(
    Array(3).fill(delivery!.eventId),
  )
})

test('a receiver inside a private network is not retried', async () => {
  const inward = new OutboundError(
    'private_address',
    message('network.private_address', { host: 'hooks.example' }),
  )
  const { requests, over } = await deliverTo(inward)
  expect(await over()).toMatchObject({ state: 'failed', attempts: 1, lastStatus: null })
  expect(requests).toHaveLength(1)
})

test('a stop interrupts an attempt, and the next start repeats it', async () => {
  const first = await deliverTo('nothing')
  await expect.poll(() => first.requests.length).toBe(1)
  await first.deliverer.stop()
  const [delivery] = await first.stores.webhooks.list(first.account.id, 1)
  expect(delivery).toMatchObject({ state: 'pending', attempts: 1 })
  expect(delivery?.nextAttemptAt).toBeGreaterThan(Date.now())
  expect(first.errors).toEqual([])
})
