import { expect, test } from 'vitest'
import { createBatcher, createPace } from './batcher.ts'

/** A clock whose timers and frames run as it is moved. */
function clock() {
  let time = 0
  const timers: { at: number; run: () => void }[] = []
  const later = (run: () => void, ms: number) => timers.push({ at: time + ms, run })
  const frame = (run: () => void) => later(run, 16)
  const until = (end: number) => {
    for (;;) {
      timers.sort((a, b) => a.at - b.at)
      const next = timers[0]
      if (!next || next.at > end) break
      timers.shift()
      time = Math.max(time, next.at)
      next.run()
    }
    time = Math.max(time, end)
  }
  const spend = (ms: number) => {
    time += ms
  }
  return { later, frame, until, spend, now: () => time }
}

/** How often news are passed on in a second, and how much of it that takes, if they come all the time. */
function busyWith(costMs: number) {
  const time = clock()
  let times = 0
  const batcher = createBatcher<number>(() => {
    times++
    time.spend(costMs)
  }, createPace(time))
  for (let at = 0; at < 10_000; at += 5) {
    time.until(at)
    batcher.add(at)
  }
  return { times: times / 10, share: (times * costMs) / 10_000 }
}

test('what costs little is shown at every frame', () => {
  expect(busyWith(0).times).toBeGreaterThan(45)
})

test('what costs much comes less often, and takes a tenth of the time', () => {
  const { times, share } = busyWith(60)
  expect(share).toBeLessThanOrEqual(0.11)
  expect(times).toBeGreaterThan(1)
})

test('news wait for at most a moment, whatever they cost', () => {
  expect(busyWith(500).times).toBeGreaterThan(0.4)
})
