import { expect, test } from 'vitest'
import { misbehaving } from '../../testing/misbehaving.ts'
import { json, testService } from '../../testing/service.ts'
import { RequestError } from '../shared/errors.ts'
import { WrongKeys } from './wrong-keys.ts'

test('a hundred wrong keys are answered at once, then four a second, and after a quiet time a hundred again', () => {
  const keys = new WrongKeys()
  for (let n = 0; n < 100; n++) expect(keys.count('a', 1000)).toBe(0)
  expect([1, 2, 3, 4].map(() => keys.count('a', 1000))).toEqual([250, 500, 750, 1000])
  expect(keys.count('b', 1000)).toBe(0)
  let now = 1000
  // A caller that guesses as fast as it is answered.
  for (let n = 0; n < 400; n++) now += keys.count('a', now)
  expect((now - 1000) / 400).toBeGreaterThan(240)
  for (let n = 0; n < 100; n++) expect(keys.count('a', now + 60_000)).toBe(0)
})

test('with more than forty waiting, further ones are refused with a waiting time, which refusals do not extend', () => {
  const keys = new WrongKeys()
  for (let n = 0; n < 140; n++) keys.count('a', 0)
  for (let n = 0; n < 100; n++) {
    const refused = expect.objectContaining({ code: 'rate_limited', retryAfter: 11 })
    expect(() => keys.count('a', 0)).toThrow(refused)
  }
  expect(() => keys.count('a', 0)).toThrow(RequestError)
  expect(keys.count('a', 11_000)).toBe(0)
})

test('guessing is slowed down, but a right key from the same address is not', async () => {
  const service = await testService(misbehaving)
  const statuses = new Map<number, number>()
  const enough = new AbortController()
  const guesses = Array.from({ length: 200 }, async (_, n) => {
    const key = `rf_${String(n).padStart(16, '0')}_${'A'.repeat(43)}`
    const answer = await service
      .call('/convert/entitlements/me', { key, signal: enough.signal })
      .catch(() => undefined)
    if (!answer) return
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status === 429) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect((await json(answer)).error).toBe('rate_limited')
    }
  })
  await expect.poll(() => statuses.get(429) ?? 0).toBeGreaterThan(0)
  expect((await service.call('/convert/entitlements/me')).status).toBe(200)
  enough.abort()
  await Promise.all(guesses)
  expect(new Set(statuses.keys())).toEqual(new Set([401, 429]))
  // A missing key is not a guess.
  expect((await service.call('/convert/entitlements/me', { key: null })).status).toBe(401)
})
