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
  load.mockReset().mockResolvedValue({ default: { autoUpdater: updater } })
})
afterEach(() => {
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
  updates.install()
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
  updates.install()
  expect(updater.quitAndInstall).not.toHaveBeenCalled()
  updater.emit('update-downloaded', { version: '2.0.0' })
  updates.install()
  expect(updater.quitAndInstall).toHaveBeenCalledOnce()
  updater.emit('error', new Error('no route'))
  expect(updates.state).toEqual({ kind: 'failed' })
  expect(onError).toHaveBeenCalledOnce()
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
  updates.install()
  expect(updater.quitAndInstall).not.toHaveBeenCalled()
})
