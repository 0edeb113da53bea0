import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, sharedService } from '../../../testing/service.ts'

const shared = sharedService(misbehaving)

/** Longest time between the loss of access and the end of the streams. */
const MAX_DELAY_MS = 20_000

/** Reads a stream until it ends. */
async function whole(stream: Response): Promise<{ ended: boolean; events: Record<string, unknown>[] }> {
  let text = ''
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of stream.body!) text += decoder.decode(chunk as Uint8Array, { stream: true })
    return true
  }
  const ended = await Promise.race([read(), after(MAX_DELAY_MS, false)])
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
  return { ended, events }
}

const running = async (behaviour: string) =>
  (await json<{ id: string }>(shared().submit('a.jpg', behaviour, 'webp'))).id

testFull(
  'warnings appear in the status of a job and in its events, each once, and the field is left out when there are none',
  async () => {
    const service = shared()
    const id = await running('warn 300')
    const stream = await service.call(`/convert/job/${id}/events`)
    const warnings = ['One is lost.', 'Two is missing.']
    expect(await service.finished(id)).toMatchObject({ status: 'Succeeded', warnings })
    const { ended, events } = await whole(stream)
    expect(ended).toBe(true)
    expect(events.at(-1)).toMatchObject({ status: 'Succeeded', warnings })
    expect(events[0]).not.toHaveProperty('warnings')

    const plain = await service.finished(await running('fine'))
    expect(plain).not.toHaveProperty('warnings')

    const document = await json<{ components: unknown }>(service.call('/openapi.json'))
    expect(document.components).toMatchObject({
      schemas: {
        Job: {
          properties: { warnings: { type: 'array', items: { type: 'string' } } },
          required: expect.not.arrayContaining(['warnings']),
        },
      },
    })
  },
)

test('a stream ends soon after its key is revoked', async () => {
  const { services, call } = shared()
  const owner = (await services.accounts.owner()).id
  const { secret, record } = await services.keys.create(owner, { name: 'short' })
  const id = await running('sleep')
  const stream = await call(`/convert/job/${id}/events`, { key: secret })
  const other = await call(`/convert/job/${id}/events`)
  await services.keys.revoke(owner, record.id)
  expect((await whole(stream)).ended).toBe(true)
  // The stream of a key that is still valid stays open.
  const others = whole(other)
  expect(await Promise.race([others, after(1500, 'open')])).toBe('open')
  await call(`/convert/job/${id}/cancel`, { method: 'POST' })
  expect((await others).events.at(-1)).toMatchObject({ status: 'Canceled' })
})

testFull('a stream ends soon after its key expires', async () => {
  const { services, call } = shared()
  const owner = (await services.accounts.owner()).id
  const id = await running('sleep')
  const { secret } = await services.keys.create(owner, { name: 'short', expiresAt: Date.now() + 2000 })
  const stream = await call(`/convert/job/${id}/events`, { key: secret })
  expect(stream.status).toBe(200)
  expect((await whole(stream)).ended).toBe(true)
  await call(`/convert/job/${id}/cancel`, { method: 'POST' })
})

testFull("the page's stream ends soon after its session ends", async () => {
  const service = shared()
  const app = await openApp(service)
  const stream = await app.call('/app/events')
  expect(stream.status).toBe(200)
  await service.services.stores.accounts.forgetSessions(Number.MAX_SAFE_INTEGER)
  expect((await whole(stream)).ended).toBe(true)
})
