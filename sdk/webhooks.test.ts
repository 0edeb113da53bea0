import type { IncomingMessage } from 'node:http'
import { expect, expectTypeOf, test } from 'vitest'
import { signatureHeaders } from '../service/work/webhooks/signature.ts'
import { verifyWebhook } from './src/index.ts'

const secret = 'a secret of a receiver'
const body = JSON.stringify({
  ...{ event: 'job.succeeded', eventId: '1' },
  output: { fileName: 'größe.webp', downloadUrl: 'http://there' },
})
const timestamp = Math.floor(Date.now() / 1000)
const signed = (given = timestamp) =>
  signatureHeaders({ eventId: '1', secret, timestamp: given, body })['x-service-signature']

test('what the service signed is accepted, as text and as bytes', async () => {
  expect(await verifyWebhook(body, signed(), secret)).toMatchObject({ event: 'job.succeeded' })
  expect(await verifyWebhook(new TextEncoder().encode(body), signed(), secret)).toMatchObject({
    eventId: '1',
  })
})

test('what an event has follows from what happened, for headers and bodies as Node has them', async () => {
  const request = { headers: { 'x-service-signature': [signed()] } } as unknown as IncomingMessage
  const event = await verifyWebhook(Buffer.from(body), request.headers['x-service-signature'], secret)
  expectTypeOf(event.event).toEqualTypeOf<'job.succeeded' | 'job.failed'>()
  if (event.event === 'job.succeeded') expectTypeOf(event.output.downloadUrl).toBeString()
  else expectTypeOf(event.error.detail).toBeString()
  expect(event.eventId).toBe('1')
})

test.each([
  ['another body', `${body} `, signed(), secret, 'does not match'],
  ['another secret', body, signed(), 'another secret of theirs', 'does not match'],
  ['no signature', body, undefined, secret, 'no signature'],
  ['half a signature', body, signed()?.slice(0, -2), secret, 'no signature'],
  ['an old one', body, signed(timestamp - 301), secret, 'too old'],
  ['one of the future', body, signed(timestamp + 301), secret, 'too old'],
  [
    'a moved time',
    body,
    signed()?.replace(String(timestamp), String(timestamp + 1)),
    secret,
    'does not match',
  ],
])('%s is refused', async (_, text, signature, key, reason) => {
  const now = timestamp * 1000
  await expect(verifyWebhook(text, signature, key, { now })).rejects.toThrow(reason)
})
