import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fake } from './test/fake-electron.ts'
import { Updates } from './updates.ts'

class Updater extends EventEmitter {
  checkForUpdates = vi.fn(async () => null)
  quitAndInstall = vi.fn()
  autoDownload = true
  autoInstallOnAppQuit = true
}

let folder: string
let updater: Updater
const load = vi.fn()
const onError = vi.fn()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'refile-updates-'))
  Object.assign(process, { resourcesPath: folder })
  fake.isPackaged = true
  updater = new Updater()
  onError.mockReset()
  load.mockReset().mockResolvedValue({ default: { autoUpdater: updater } })
})
afterEach(() => {
  vi.useRealTimers()
  fake.isPackaged = false
  Object.assign(process, { resourcesPath: undefined })
  rmSync(folder, { recursive: true })
})

test('without a feed, offline, portable or run from sources, no update is requested', async () => {
  const updates = new Updates(onError)
  await updates.start(false, true, load)
  writeFileSync(join(folder, 'app-update.yml'), 'provider: generic')
  await updates.start(true, true, load)
  vi.stubEnv('PORTABLE_EXECUTABLE_FILE', 'D:\\Refile.exe')
  await updates.start(false, true, load)
  vi.unstubAllEnvs()
  fake.isPackaged = false
  await updates.start(false, true, load)
  expect(load).not.toHaveBeenCalled()
  await updates.install()
  expect(updates.state).toEqual({ kind: 'off' })
})

test('with a feed an update is downloaded, and installed when the person wants it', async () => {
  writeFileSync(join(folder, 'app-update.yml'), 'provider: generic')
  const updates = new Updates(onError)
  await updates.start(false, true, load)
  expect(updater.checkForUpdates).toHaveBeenCalledOnce()
  expect(updates.state).toEqual({ kind: 'current' })
  updater.emit('update-available', { version: '2.0.0' })
  updater.emit('download-progress', { percent: 41.7 })
  expect(updates.state).toEqual({ kind: 'downloading', version: '2.0.0', percent: 42 })
  await updates.install()
  expect(updater.quitAndInstall).not.toHaveBeenCalled()
  updater.emit('update-downloaded', { version: '2.0.0' })
  // A later check that fails takes nothing away.
  updater.emit('error', new Error('no route'))
  expect(updates.state).toEqual({ kind: 'ready', version: '2.0.0' })
  expect(onError).toHaveBeenCalledOnce()
  await updates.install()
  expect(updater.quitAndInstall).toHaveBeenCalledOnce()
})

test('what must not run meanwhile has stopped before an update is installed', async () => {
  writeFileSync(join(folder, 'app-update.yml'), 'provider: generic')
  const order: string[] = []
  updater.quitAndInstall.mockImplementation(() => order.push('install'))
  const updates = new Updates(onError, async () => {
    await Promise.resolve()
    order.push('stopped')
  })
  await updates.start(false, true, load)
  await updates.install()
  expect(order).toEqual([])
  updater.emit('update-downloaded', { version: '2.0.0' })
  await updates.install()
  expect(order).toEqual(['stopped', 'install'])
})

test('after a check without a network the next one comes soon, and works', async () => {
  vi.useFakeTimers()
  writeFileSync(join(folder, 'app-update.yml'), 'provider: generic')
  updater.checkForUpdates.mockImplementationOnce(async () => {
    updater.emit('error', new Error('no route'))
    throw new Error('no route')
  })
  const updates = new Updates(onError)
  await updates.start(false, true, load)
  expect(updates.state).toEqual({ kind: 'failed' })
  await vi.advanceTimersByTimeAsync(16 * 60_000)
  expect(updater.checkForUpdates).toHaveBeenCalledTimes(2)
  updater.emit('update-not-available')
  expect(updates.state).toEqual({ kind: 'current' })
  await vi.advanceTimersByTimeAsync(5 * 3600_000)
  expect(updater.checkForUpdates).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(3600_000)
  expect(updater.checkForUpdates).toHaveBeenCalledTimes(3)
})

test('updates can be switched off and on again', async () => {
  writeFileSync(join(folder, 'app-update.yml'), 'provider: generic')
  const updates = new Updates(onError)
  await updates.start(false, false, load)
  expect(updates.state).toEqual({ kind: 'declined' })
  expect(updater.checkForUpdates).not.toHaveBeenCalled()
  updates.want(true)
  expect(updater).toMatchObject({ autoDownload: true, autoInstallOnAppQuit: true })
  expect(updater.checkForUpdates).toHaveBeenCalledOnce()
  updater.emit('update-available', { version: '2.0.0' })
  updates.want(false)
  // The download completes, but has no effect.
  updater.emit('update-downloaded', { version: '2.0.0' })
  expect(updates.state).toEqual({ kind: 'declined' })
  expect(updater).toMatchObject({ autoDownload: false, autoInstallOnAppQuit: false })
  await updates.install()
  expect(updater.quitAndInstall).not.toHaveBeenCalled()
})
