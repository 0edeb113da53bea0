import { EventEmitter } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from './log.ts'
import { stopOnSignals } from './stopping.ts'

test('a service whose starter ended before it was ready ends, too', async () => {
  // What would force the stop must not end the process of the tests, which goes on.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const log = createLog()
  const exited = Promise.withResolvers<unknown>()
  vi.stubGlobal('process', Object.assign(new EventEmitter(), { connected: false, exit: exited.resolve }))
  onTestFinished(() => void vi.unstubAllGlobals())
  const host = { close: vi.fn(async () => {}), drain: async () => {}, noteCrash: () => {} }
  stopOnSignals(host, 0, log)
  expect(host.close).toHaveBeenCalledOnce()
  expect(await exited.promise).toBe(0)
})
