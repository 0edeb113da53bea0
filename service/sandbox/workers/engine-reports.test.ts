import { afterEach, expect, test, vi } from 'vitest'
import { EngineReports } from './engine-reports.ts'

const ffmpeg = (available: boolean) => ({
  id: 'ffmpeg',
  name: 'ffmpeg',
  version: null,
  available,
  hint: null,
})

afterEach(() => vi.useRealTimers())

test('an engine that is missing is checked again after a while, one that is available is not', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let installed = false
  let asked = 0
  const engines = new EngineReports(async () => {
    asked++
    return [ffmpeg(installed)]
  })
  expect(engines.unavailable).toEqual(new Set())
  expect(await engines.all()).toMatchObject([{ available: false }])
  expect(engines.unavailable).toEqual(new Set(['ffmpeg']))
  installed = true
  expect(await engines.all()).toMatchObject([{ available: false }])
  vi.advanceTimersByTime(11_000)
  expect(await engines.all()).toMatchObject([{ available: true }])
  expect(engines.unavailable).toEqual(new Set())
  vi.advanceTimersByTime(1e9)
  expect(await engines.all()).toMatchObject([{ available: true }])
  expect(asked).toBe(2)
})

test('a failed query is repeated; concurrent callers share one query', async () => {
  let asked = 0
  const engines = new EngineReports(async () => {
    if (++asked === 1) throw new Error('no worker')
    return [ffmpeg(true)]
  })
  await expect(Promise.all([engines.all(), engines.all()])).rejects.toThrow('no worker')
  expect(await engines.all()).toHaveLength(1)
  expect(asked).toBe(2)
})
