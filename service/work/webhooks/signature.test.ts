import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { signatureHeaders } from './signature.ts'

const body = '{"event":"job.succeeded","name":"naïve — 写真.png"}'
const signed = (secret: string) =>
  signatureHeaders({ eventId: 'event-7', secret, timestamp: Math.floor(Date.now() / 1000), body })

test("the contract's header is the HMAC of time and body", () => {
  const headers = signatureHeaders({
    eventId: 'e',
    secret: 'sixteen letters!',
    timestamp: 1_700_000_000,
    body,
  })
  // Calculated with openssl dgst -sha256 -hmac 'sixteen letters!' over the same bytes.
  const expected = createHmac('sha256', Buffer.from('sixteen letters!'))
    .update(Buffer.concat([Buffer.from('1700000000.'), Buffer.from(body)]))
    .digest('hex')
  expect(headers['x-service-signature']).toBe(`t=1700000000,v1=${expected}`)
})

test.each([
  ['a secret of their own', 'raw'],
  [`whsec_${Buffer.from('a key in base64, as they are').toString('base64')}`, undefined],
] as const)('a Standard Webhooks verifier accepts it: %s', (secret, format) => {
  const verifier = new Webhook(secret, ...(format ? [{ format }] : []))
  expect(verifier.verify(body, signed(secret))).toEqual(JSON.parse(body))
  expect(() => verifier.verify(`${body} `, signed(secret))).toThrow()
  expect(() => verifier.verify(body, { ...signed(secret), 'webhook-id': 'event-8' })).toThrow()
})
