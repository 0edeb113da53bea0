/** Graphics cards are granted to who asks for them, and to nobody else. */
import { beforeEach, expect, test, vi } from 'vitest'

// This machine need not have one.
vi.mock('node:fs', async original => {
  const real = await original<typeof import('node:fs')>()
  const faked = (path: unknown) => /^\/(dev\/dri|sys\/class\/drm)/.test(String(path))
  return {
    ...real,
    existsSync: (path: string) => faked(path) || real.existsSync(path),
    readdirSync: (path: string, options: object) =>
      faked(path) ? ['by-path', 'card0', 'renderD128'] : real.readdirSync(path, options),
    realpathSync: (path: string) => (faked(path) ? path : real.realpathSync(path)),
  }
})
beforeEach(() => vi.resetModules())

test.each([
  [['/videos/a.mkv', '/dev/dri'], ['/dev/dri/renderD128'], ['/dev/dri', '/sys/class/drm/renderD128/device']],
  [['/videos/a.mkv'], [], []],
])('inputs %j', async (inputs, devices, read) => {
  const { grantsFor, WORKER_INPUTS } = await import('./grants.ts')
  const grants = grantsFor({ [WORKER_INPUTS]: JSON.stringify(inputs) }, '/app', 'linux')
  const ofCards = (paths: readonly string[]) => paths.filter(path => /dri|drm/.test(path))
  expect(ofCards(grants.devices)).toEqual(devices)
  expect(ofCards(grants.read)).toEqual(read)
  expect(ofCards([...grants.execute, ...grants.write])).toEqual([])
})
