import { expect, onTestFinished, test, vi } from 'vitest'
import { SerialLoop } from './serial-loop.ts'

test('work that fails is reported and tried again, though nobody asks', async () => {
  const [work, onError] = [vi.fn(async () => {}), vi.fn()]
  work.mockRejectedValueOnce(new Error('out of reach'))
  const loop = new SerialLoop(work, onError)
  onTestFinished(() => loop.stop())
  loop.wake()
  await expect.poll(() => work.mock.calls.length, { timeout: 5000 }).toBe(2)
  expect(onError).toHaveBeenCalledTimes(1)
})
