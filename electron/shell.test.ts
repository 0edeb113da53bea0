import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IpcMain } from 'electron'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { testFull } from '../testing/describe-full.ts'
import { ServiceClient } from './client.ts'
import type { ShellSettings } from './ipc.ts'
import { setStartsAtLogin, startsAtLogin } from './login.ts'
import type { Preferences } from './preferences.ts'
import { Shell } from './shell.ts'
import { testBatch } from './test/batch.ts'
import { eventually } from './test/eventually.ts'
import { app, fake, ipcMain, ipcRenderer } from './test/fake-electron.ts'
import { ServiceDouble } from './test/service.ts'

let folder: string
let service: ServiceDouble
let shell: Shell
let preferences: Preferences
const onError = vi.fn()
let stopping: AbortController

const nothing = { files: [], target: null, page: null, hidden: false }
const tray = () => fake.trays.findLast(each => !each.destroyed)
const labels = () => tray()?.menu.map(({ label }) => label)
const json = (value: unknown) => JSON.stringify(value)

/** Waits until earlier requests have completed. */
const follows = () => eventually(() => expect(service.followers).toBe(1))

/** How many times as fast as that of a person the time passes in which the shell waits for more to come. */
const HASTE = 4
const { setTimeout: inTime } = globalThis

beforeEach(async () => {
  vi.stubGlobal('setTimeout', (then: () => void, ms = 0, ...given: []) => inTime(then, ms / HASTE, ...given))
  folder = mkdtempSync(join(tmpdir(), 'refile-shell-'))
  vi.stubEnv('REFILE_HOME', folder)
  service = await new ServiceDouble().start()
  Object.assign(fake, { windows: [], trays: [], notifications: [], revealed: [], badge: 0, exitCode: null })
  fake.handlers.clear()
  onError.mockReset()
  stopping = new AbortController()
  await app.whenReady()
  preferences = { bounds: null, maximized: false, keepRunning: false, keepUpdated: true, language: null }
  const none = { savePreferences: () => {}, stop: async () => {} }
  shell = new Shell({ preferences, ...none, preload: '/preload.cjs', onError })
})

afterEach(async () => {
  stopping.abort()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  ipcRenderer.removeAllListeners()
  await service.close()
  rmSync(folder, { recursive: true, force: true })
  expect(onError).not.toHaveBeenCalled()
})

const start = async () => {
  const client = new ServiceClient(service)
  shell.start(client, ipcMain as Pick<IpcMain, 'handle'>, service.url, stopping.signal)
  await follows()
}

describe('running work', () => {
  test('is shown on the taskbar, the dock and in the tray, even if it started before the window', async () => {
    service.batches = [testBatch('one', { counts: { succeeded: 1, queued: 3 } })]
    preferences.keepRunning = true
    shell.ask(nothing)
    await start()
    await eventually(() => expect(fake.windows[0]?.progress).toBe(0.25))
    expect(fake.badge).toBe(3)
    expect(labels()).toContain('1 of 4 files')
    service.publish('batch', testBatch('two', { counts: { succeeded: 2, failed: 1, running: 1 } }))
    await eventually(() => expect(fake.windows[0]?.progress).toBe(0.5))
    for (const id of ['one', 'two']) service.publish('batch-removed', { id })
    await eventually(() => expect(fake.windows[0]?.progress).toBe(-1))
    expect(fake.badge).toBe(0)
    expect(labels()).toContain('Nothing is running')
  })

  test('is read again after the stream was interrupted', async () => {
    await start()
    service.batches = [testBatch('one', { counts: { waiting: 4 } })]
    service.breakStreams()
    await eventually(() => expect(fake.badge).toBe(4))
  })

  test('continues in the tray when the window is closed, which can be reopened from there', async () => {
    service.batches = [testBatch('one', { counts: { running: 4 } })]
    shell.ask(nothing)
    await start()
    await eventually(() => expect(fake.badge).toBe(4))
    const [window] = fake.windows
    expect(tray()).toBeUndefined()
    expect(window?.close()).toBe(false)
    expect(window?.visible).toBe(false)
    tray()
      ?.menu.find(({ label }) => label === 'Open Refile')
      ?.click?.({ checked: false })
    expect(window?.visible).toBe(true)
    expect(tray()).toBeUndefined()
    service.publish('batch', testBatch('one', { state: 'done', counts: { succeeded: 4 } }))
    await eventually(() => expect(fake.badge).toBe(0))
    expect(window?.close()).toBe(true)
  })
})

test('the tray and notifications use the language of the page, including for problems reported by the service', async () => {
  service.batches = [testBatch('one', { counts: { running: 4 } })]
  service.answer = (_, response) => void response.end(json({ items: [], next: null }))
  preferences.keepRunning = true
  shell.ask(nothing)
  await start()
  await eventually(() => expect(labels()).toContain('0 of 4 files'))
  await shell.setLanguage('de')
  expect(labels()).toEqual(['Refile öffnen', '0 von 4 Dateien', undefined, 'Beenden'])
  expect(preferences.language).toBe('de')
  service.publish('batch', testBatch('one', { state: 'done', counts: { succeeded: 4 } }))
  await eventually(() =>
    expect(fake.notifications[0]?.options.body).toBe('Alle 4 Dateien wurden umgewandelt.'),
  )
  expect(service.requests.at(-1)?.headers.cookie).toContain('refile_language=de')
  await shell.setLanguage('en')
})

testFull('what one press converts is reported once, when all of it has ended', async () => {
  service.batches = [testBatch('one', { counts: { running: 4 } })]
  service.answer = (_, response) => void response.end(json({ items: [], next: null }))
  preferences.keepRunning = true
  shell.ask(nothing)
  await start()
  await eventually(() => expect(fake.badge).toBe(4))
  const expectFiles = (isExpecting: boolean) => ipcRenderer.invoke('expect', isExpecting)
  await expectFiles(true)
  service.publish('batch', testBatch('one', { state: 'done', counts: { succeeded: 4 } }))
  await eventually(() => expect(fake.badge).toBe(0))
  // Files that were still being read join, and another batch begins a moment after the first.
  await new Promise(resolve => setTimeout(resolve, 1300))
  service.publish('batch', testBatch('one', { counts: { total: 6, succeeded: 4, running: 2 } }))
  await eventually(() => expect(fake.badge).toBe(2))
  await expectFiles(false)
  service.publish('batch', testBatch('one', { state: 'done', counts: { total: 6, succeeded: 6 } }))
  service.publish('batch', testBatch('two', { targetLabel: 'PDF', counts: { running: 4 } }))
  await eventually(() => expect(fake.badge).toBe(4))
  await new Promise(resolve => setTimeout(resolve, 1300))
  expect(fake.notifications).toEqual([])
  const done = { state: 'done', targetLabel: 'PDF', counts: { succeeded: 3, failed: 1 } } as const
  service.publish('batch', testBatch('two', done))
  await eventually(() => expect(fake.notifications).toHaveLength(1))
  expect(fake.notifications[0]?.options).toMatchObject({
    title: 'Refile',
    body: '9 files were converted, 1 file failed.',
  })
  await new Promise(resolve => setTimeout(resolve, 1300))
  expect(fake.notifications).toHaveLength(1)
})

describe('a batch that has ended', () => {
  const end = async (answers: (path: string) => unknown) => {
    service.batches = [testBatch('one', { counts: { running: 4 } })]
    service.answer = ({ path }, response) => void response.end(json(answers(path)))
    preferences.keepRunning = true
    shell.ask(nothing)
    await start()
    await eventually(() => expect(fake.badge).toBe(4))
    service.publish('batch', testBatch('one', { state: 'done', counts: { succeeded: 3, failed: 1 } }))
    await eventually(() => expect(fake.notifications).toHaveLength(1))
    return fake.notifications[0]!
  }
  const items = { items: [{ savedTo: null }, { savedTo: '/out/a.webp', job: { id: 'job' } }], next: null }

  test('gives one notification, and a click shows its results in their folder', async () => {
    const notification = await end(path => (path.startsWith('/app/saved') ? ['/out/a.webp'] : items))
    expect(notification).toMatchObject({
      shown: true,
      options: { title: '4 files to WebP', body: '3 files were converted, 1 file failed.' },
    })
    notification.emit('click')
    expect(fake.revealed).toEqual(['/out/a.webp'])
    service.publish('batch', testBatch('one', { state: 'done', counts: { succeeded: 3, failed: 1 } }))
    tray()
      ?.menu.find(({ submenu }) => submenu)
      ?.submenu?.[0]?.click?.({ checked: false })
    await eventually(() => expect(fake.revealed).toHaveLength(2))
    expect(fake.notifications).toHaveLength(1)
  })

  test('leads to the window if its results are gone', async () => {
    const notification = await end(path => (path.startsWith('/app/saved') ? [] : items))
    fake.windows[0]!.focused = false
    notification.emit('click')
    expect(fake.windows[0]?.focused).toBe(true)
    expect(fake.revealed).toEqual([])
  })

  test('gives no notification to somebody who is looking at the window', async () => {
    service.batches = [testBatch('one')]
    shell.ask(nothing)
    await start()
    await eventually(() => expect(fake.badge).toBe(4))
    fake.windows[0]!.focused = true
    service.publish('batch', testBatch('one', { state: 'done', counts: { succeeded: 4 } }))
    await eventually(() => expect(fake.badge).toBe(0))
    expect(fake.notifications).toEqual([])
  })

  test('one that waits for somebody gives a notification with its reason', async () => {
    await start()
    const problem = { code: 'destination.full', detail: 'The disk is full.' }
    for (let times = 0; times < 2; times++)
      service.publish('batch', testBatch('one', { state: 'paused', problem }))
    await eventually(() => expect(fake.notifications).toHaveLength(1))
    expect(fake.notifications[0]?.options.body).toBe('The disk is full.')
  })
})

describe('convert with Refile', () => {
  const write = (name: string) => {
    writeFileSync(join(folder, name), name)
    return join(folder, name)
  }

  test('makes one batch of a selection that arrives file by file, beside the originals, without a window', async () => {
    service.answer = ({ path, body }, response) => {
      if (path === '/app/settings')
        return void response.end(json({ destination: { name: '{name} small', keepDates: true } }))
      if (path === '/app/batches') return void response.end(json(testBatch('one')))
      const name = JSON.parse(String(body)).path
      response.end(json({ id: name, name, targets: [{ target: name.endsWith('.mp3') ? 'wav' : 'png' }] }))
    }
    const files = ['a.jpg', 'b.webp', 'c.mp3'].map(write)
    await start()
    for (const file of [...files, files[0]!]) shell.ask({ ...nothing, files: [file], target: 'png' })
    const batch = () => service.requests.find(({ path }) => path === '/app/batches')
    await eventually(() => expect(batch()).toBeDefined())
    expect(JSON.parse(String(batch()?.body))).toEqual({
      fileIds: files.slice(0, 2),
      targetFormat: 'png',
      destination: { kind: 'beside', name: '{name} small', keepDates: true },
    })
    expect(service.requests.filter(({ path }) => path === '/app/files')).toHaveLength(3)
    // The person has to decide about files that cannot be converted to the target.
    expect(fake.windows).toHaveLength(1)
    expect(await ipcRenderer.invoke('takeOpened', null)).toMatchObject({ answer: [{ name: 'c.mp3' }] })
  })

  test('a batch that is refused is left to the page', async () => {
    service.answer = ({ path }, response) => {
      if (path === '/app/batches') response.writeHead(400)
      response.end(json({ id: '1', targets: [{ target: 'png' }] }))
    }
    shell.ask({ ...nothing, files: [write('a.jpg')], target: 'png' })
    await start()
    await eventually(() => expect(fake.windows).toHaveLength(1))
    expect(await ipcRenderer.invoke('takeOpened', null)).toMatchObject({
      answer: [{ name: 'a.jpg', problem: null }],
    })
  })
})

test('a link opens its page, once', async () => {
  await start()
  shell.ask({ ...nothing, page: 'history' })
  expect(fake.windows).toHaveLength(1)
  const { urls } = fake.windows[0]!
  await eventually(() => expect(urls).toHaveLength(1))
  expect(await ipcRenderer.invoke('takePage', null)).toEqual({ ok: true, answer: 'history' })
  expect(await ipcRenderer.invoke('takePage', null)).toEqual({ ok: true, answer: null })
})

test('started with the session there is a tray and no window', async () => {
  shell.ask({ ...nothing, hidden: true })
  await start()
  expect(fake.windows).toEqual([])
  expect(tray()?.toolTip).toBe('Refile – Nothing is running')
})

test('files dropped on the tray icon are added', async () => {
  service.answer = (_, response) => void response.end('{"id":"1"}')
  shell.ask({ ...nothing, hidden: true })
  await start()
  tray()?.emit('drop-files', {}, ['/home/me/a.png'])
  await eventually(() => expect(service.requests.map(({ path }) => path)).toEqual(['/app/files']))
  expect(fake.windows).toHaveLength(1)
})

describe('settings', () => {
  test('of the tray apply at once', async () => {
    await start()
    shell.ask(nothing)
    shell.change({ keepRunning: true })
    expect(tray()).toBeDefined()
    expect(shell.settings()).toEqual({
      keepRunning: true,
      startAtLogin: null,
      fileManager: null,
      keepUpdated: null,
      update: { kind: 'off' },
    } satisfies ShellSettings)
    shell.change({ keepRunning: false })
    expect(tray()).toBeUndefined()
  })

  test.runIf(process.platform === 'linux')(
    'starting with the session uses the desktop’s own autostart entry',
    () => {
      fake.isPackaged = true
      vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'))
      vi.stubEnv('APPIMAGE', '/home/me/100% "my" apps/Refile.AppImage')
      try {
        expect(startsAtLogin()).toBe(false)
        setStartsAtLogin(true)
        expect(startsAtLogin()).toBe(true)
        const entry = readFileSync(join(folder, 'config', 'autostart', 'refile.desktop'), 'utf8')
        expect(entry).toContain('Exec="/home/me/100%% \\\\"my\\\\" apps/Refile.AppImage" --hidden\n')
        setStartsAtLogin(false)
        expect(existsSync(join(folder, 'config', 'autostart', 'refile.desktop'))).toBe(false)
      } finally {
        fake.isPackaged = false
      }
    },
  )
})
