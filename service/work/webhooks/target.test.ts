import { expect, test } from 'vitest'
import { readWebhook } from './target.ts'

const whole = { webhookUrl: 'https://hooks.example/done?a=1', webhookSecret: 'x'.repeat(16) }

test('a request without a webhook has none; one with a webhook is notified of success and failure unless it says otherwise', () => {
  expect(readWebhook({ targetFormat: 'png' })).toBeUndefined()
  expect(readWebhook(whole)).toEqual({
    url: 'https://hooks.example/done?a=1',
    secret: 'x'.repeat(16),
    events: ['succeeded', 'failed'],
  })
  expect(readWebhook({ ...whole, webhookEvents: 'failed' })?.events).toEqual(['failed'])
  expect(readWebhook({ ...whole, webhookEvents: 'failed, succeeded' })?.events).toEqual([
    'succeeded',
    'failed',
  ])
})

test('a key of 16 bytes in Base64 is a secret', () => {
  const webhookSecret = `whsec_${Buffer.alloc(16, 1).toString('base64')}`
  expect(readWebhook({ ...whole, webhookSecret })?.secret).toBe(webhookSecret)
})

test.each([
  [{ webhookSecret: 'x'.repeat(16) }, 'webhookUrl'],
  [{ webhookEvents: 'failed' }, 'webhookUrl'],
  [{ ...whole, webhookUrl: 'hooks.example' }, 'valid URL'],
  [{ ...whole, webhookUrl: 7 }, 'valid URL'],
  [{ ...whole, webhookUrl: `https://hooks.example/${'x'.repeat(2048)}` }, '2,048'],
  [{ ...whole, webhookUrl: 'http://hooks.example/' }, 'https'],
  [{ ...whole, webhookUrl: 'https://user:secret@hooks.example/' }, 'user name'],
  [{ ...whole, webhookUrl: 'https://8.8.8.8/' }, 'public internet'],
  [{ ...whole, webhookUrl: 'https://2130706433/' }, 'public internet'],
  [{ ...whole, webhookUrl: 'https://[::1]/' }, 'public internet'],
  [{ ...whole, webhookUrl: 'https://localhost/' }, 'public internet'],
  [{ ...whole, webhookUrl: 'https://hooks.localhost./' }, 'public internet'],
  [{ ...whole, webhookUrl: 'https://nas.LOCAL/' }, 'public internet'],
  [{ ...whole, webhookUrl: 'https://hooks.corp.internal/' }, 'public internet'],
  [{ ...whole, webhookSecret: undefined }, '16 to 256'],
  [{ ...whole, webhookSecret: 'x'.repeat(15) }, '16 to 256'],
  [{ ...whole, webhookSecret: 'x'.repeat(257) }, '16 to 256'],
  [{ ...whole, webhookSecret: `whsec_${Buffer.alloc(15, 1).toString('base64')}` }, '16 bytes'],
  [{ ...whole, webhookSecret: `whsec_${'not base64, but long '.repeat(3)}` }, '16 bytes'],
  [{ ...whole, webhookEvents: 'finished' }, 'succeeded, failed'],
  [{ ...whole, webhookEvents: 'failed,' }, 'succeeded, failed'],
  [{ ...whole, webhookEvents: ['failed'] }, 'succeeded, failed'],
])('%o is refused', (fields, reason) => {
  expect(() => readWebhook(fields)).toThrow(
    expect.objectContaining({ code: 'convert.invalid_webhook', detail: expect.stringContaining(reason) }),
  )
})
