import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { afterAwake } from './awake-timer.ts'

/** Keeps the process from running any timer, as a stop signal or sleep does. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('time in which the process stood still does not count', async () => {
  const onEnd = vi.fn()
  afterAwake(2000, onEnd, 20)
  standStill(2500)
  await setTimeout(0)
  expect(onEnd).not.toHaveBeenCalled()
})

test('a timer ends after its time, and not once it was stopped', async () => {
  const [ended, stopped] = [vi.fn(), vi.fn()]
  const stop = afterAwake(60, stopped, 20)
  afterAwake(60, ended, 20)
  stop()
  await expect.poll(() => ended.mock.calls.length).toBe(1)
  expect(stopped).not.toHaveBeenCalled()
})
