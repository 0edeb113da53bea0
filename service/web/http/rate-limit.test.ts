import { expect, test } from 'vitest'
import { isFull } from '../../../testing/fixtures/full.ts'
import { randomFrom } from '../../../testing/fixtures/random.ts'
import { RateLimiter } from './rate-limit.ts'

test.each([1, 3, 50, 200, 7777])(
  '%i evenly spaced requests a second always pass, even after a burst',
  perSecond => {
    for (const start of [0, 12_345.678, 2 ** 35]) {
      const limiter = new RateLimiter(perSecond)
      for (let burst = 0; burst < perSecond * 2; burst++) expect(limiter.take('a', start)).toBe(0)
      expect(limiter.take('a', start)).toBeGreaterThan(0)
      for (let request = 1; request <= 5000; request++) {
        expect(limiter.take('a', start + (request * 1000) / perSecond)).toBe(0)
      }
    }
  },
)

test('at twice the rate, half of the requests pass in the long run', () => {
  const limiter = new RateLimiter(50)
  const granted: number[] = []
  for (let request = 0; request < 100 * 60; request++) {
    if (limiter.take('a', request * 10) === 0) granted.push(Math.floor(request / 100))
  }
  for (let second = 5; second < 60; second++) {
    expect(granted.filter(at => at === second)).toHaveLength(50)
  }
})

test('whatever the pattern, no span of time allows more than its share plus the burst, and nothing below that is refused', () => {
  for (let seed = 1; seed <= (isFull ? 60 : 15); seed++) {
    const random = randomFrom(seed)
    const perSecond = 1 + Math.floor(random() * 100)
    const limiter = new RateLimiter(perSecond)
    const granted: number[] = []
    let tokens = perSecond * 2
    let last = 0
    let now = random() * 1e6
    last = now
    for (let request = 0; request < 2000; request++) {
      now += random() < 0.1 ? random() * 2000 : (random() * 2000) / perSecond
      tokens = Math.min(perSecond * 2, tokens + ((now - last) / 1000) * perSecond)
      last = now
      const wait = limiter.take('a', now)
      if (Math.abs(tokens - 1) > 2e-3) expect(wait === 0).toBe(tokens >= 1)
      if (wait > 0) {
        expect(Number.isInteger(wait)).toBe(true)
        continue
      }
      tokens -= 1
      granted.push(now)
    }
    for (let from = 0; from < granted.length; from += 97) {
      for (let to = from; to < granted.length; to += 61) {
        const share = ((granted[to]! - granted[from]!) / 1000) * perSecond
        expect(to - from + 1).toBeLessThanOrEqual(share + perSecond * 2 + 1e-3)
      }
    }
  }
})

test('waiting for the stated time is enough', () => {
  const limiter = new RateLimiter(2)
  for (let request = 0; request < 4; request++) limiter.take('a', 0)
  const wait = limiter.take('a', 0)
  expect(limiter.take('a', wait * 1000)).toBe(0)
})

test('each address has its own bucket', () => {
  const limiter = new RateLimiter(1)
  for (const address of ['a', 'b', 'c']) {
    expect([0, 0, 0].map(() => limiter.take(address, 0) === 0)).toEqual([true, true, false])
  }
})
