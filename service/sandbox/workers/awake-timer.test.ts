import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { afterAwake } from './awake-timer.ts'

/** Blocks the process so that no timer runs, as a stop signal or sleep does. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('time during which the process was stopped does not count', async () => {
  const onEnd = vi.fn()
  afterAwake(2000, onEnd, 20)
  standStill(2500)
  await setTimeout(0)
  expect(onEnd).not.toHaveBeenCalled()
})

test('a timer fires after its time, but not once it is cancelled', async () => {
  const [ended, stopped] = [vi.fn(), vi.fn()]
  const stop = afterAwake(60, stopped, 20)
  afterAwake(60, ended, 20)
  stop()
  await expect.poll(() => ended.mock.calls.length).toBe(1)
  expect(stopped).not.toHaveBeenCalled()
})
