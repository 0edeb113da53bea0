import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IpcMain } from 'electron'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ServiceClient } from './client.ts'
import { createHandlers } from './handlers.ts'
import { type DesktopBridge, LINKED, OPENED, type ShellSettings } from './ipc.ts'
import type { LinkedPage } from './links.ts'
import { OpenedFiles } from './opened.ts'
import './preload.ts'
import { serveChannels } from './serve-channels.ts'
import { eventually } from './test/eventually.ts'
import { app, BrowserWindow, fake, ipcMain, ipcRenderer } from './test/fake-electron.ts'
import { ServiceDouble } from './test/service.ts'

/** The bridge as the page sees it, through preload and channels down to the files it writes. */

const JOB = '0191e8a0-0000-7000-8000-000000000000'
const OTHER = '0191e8a0-0000-7000-8000-000000000001'

let folder: string
let service: ServiceDouble
let opened: OpenedFiles
let bridge: DesktopBridge
const install = vi.fn()
const setLanguage = vi.fn(async () => {})
const expectFiles = vi.fn()
let pages: LinkedPage[]
let settings: ShellSettings

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'refile-bridge-'))
  service = await new ServiceDouble().start()
  service.answer = (request, response) => void response.end(`content of ${request.path}`)
  Object.assign(fake, { windows: [], revealed: [], openedFiles: [], forks: [] })
  pages = []
  settings = {
    keepRunning: false,
    startAtLogin: null,
    fileManager: false,
    keepUpdated: null,
    update: { kind: 'off' },
  }
  fake.handlers.clear()
  fake.paths.downloads = folder
  await app.whenReady()
  await new BrowserWindow({}).loadURL(`${service.url}/`)
  opened = new OpenedFiles()
  const client = new ServiceClient(service)
  opened.connect(client, () => ipcRenderer.emit(OPENED))
  serveChannels(
    ipcMain as Pick<IpcMain, 'handle'>,
    service.url,
    createHandlers({
      client,
      opened,
      settings: () => settings,
      changeSettings: change => Object.assign(settings, change),
      installUpdate: install,
      takePage: () => pages.shift() ?? null,
      setLanguage,
      expect: expectFiles,
    }),
    error => {
      throw error
    },
  )
  bridge = fake.bridges.get('refile') as DesktopBridge
})

afterEach(async () => {
  ipcRenderer.removeAllListeners()
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

test('offers the page these functions and no more', () => {
  expect([...fake.bridges.keys()]).toEqual(['refile'])
  expect(Object.keys(bridge).toSorted()).toEqual([
    'accentColor',
    'changeSettings',
    'chooseFolder',
    'expect',
    'installUpdate',
    'onLinked',
    'onOpened',
    'openOutput',
    'pathForFile',
    'platform',
    'reveal',
    'saveOutput',
    'saveOutputs',
    'setLanguage',
    'setTheme',
    'settings',
    'showMenu',
  ])
  expect(bridge.platform).toBe(process.platform)
})

test('accentColor is the colour of the system without its opacity, and null where it has none', async () => {
  expect(await bridge.accentColor()).toBe('#0078d4')
  fake.accentColor = ''
  expect(await bridge.accentColor()).toBeNull()
})

test('showMenu shows a menu of the system and returns what was chosen', async () => {
  const press = (label: string | null) => (menu: typeof fake.menu) => {
    expect(menu.map(item => item.label ?? item.type)).toEqual(['Open', 'separator', 'Remove'])
    menu.find(item => label !== null && item.label === label)?.click?.({ checked: false })
  }
  fake.popup = press('Remove')
  expect(await bridge.showMenu(['Open', null, 'Remove'])).toBe(2)
  fake.popup = press(null)
  expect(await bridge.showMenu(['Open', null, 'Remove'])).toBeNull()
})

describe('saveOutput', () => {
  test('streams the output to the chosen place, with a safe suggested name', async () => {
    const asked = vi.fn()
    fake.saveDialog = options => {
      asked(options.defaultPath)
      return { canceled: false, filePath: join(folder, 'chosen.png') }
    }
    expect(await bridge.saveOutput({ jobId: JOB, fileName: '../../a.png' })).toBe(join(folder, 'chosen.png'))
    expect(asked).toHaveBeenCalledWith(join(folder, 'a.png'))
    expect(readFileSync(join(folder, 'chosen.png'), 'utf8')).toBe(`content of /convert/job/${JOB}/download`)
  })

  test('saves nothing when the person cancels', async () => {
    fake.saveDialog = { canceled: true, filePath: '' }
    expect(await bridge.saveOutput({ jobId: JOB, fileName: 'a.png' })).toBeNull()
    expect(service.requests).toEqual([])
  })

  test('sends the page the reason', async () => {
    service.answer = (_, response) =>
      void response.writeHead(410).end('{"error":"jobs.gone","detail":"The output has expired."}')
    fake.saveDialog = { canceled: false, filePath: join(folder, 'a.png') }
    await expect(bridge.saveOutput({ jobId: JOB, fileName: 'a.png' })).rejects.toThrow(
      /^The output has expired\.$/,
    )
    expect(readdirSync(folder)).toEqual([])
  })
})

test('saveOutputs puts everything into one folder without overwriting', async () => {
  const target = join(folder, 'target')
  mkdirSync(target)
  writeFileSync(join(target, 'a.png'), 'mine')
  fake.openDialog = { canceled: false, filePaths: [target] }
  const outputs = [
    { jobId: JOB, fileName: 'a.png' },
    { jobId: OTHER, fileName: 'b.png' },
  ]
  expect(await bridge.saveOutputs(outputs)).toBe(target)
  expect(readdirSync(target).toSorted()).toEqual(['a (2).png', 'a.png', 'b.png'])
  expect(readFileSync(join(target, 'a.png'), 'utf8')).toBe('mine')
  expect(readFileSync(join(target, 'b.png'), 'utf8')).toContain(OTHER)
  fake.openDialog = { canceled: true, filePaths: [] }
  expect(await bridge.saveOutputs(outputs)).toBeNull()
})

test('chooseFolder starts at the given folder, on this machine, and returns the choice', async () => {
  const started: unknown[] = []
  fake.openDialog = options => {
    started.push(options.defaultPath)
    return { canceled: false, filePaths: ['/home/me/Pictures'] }
  }
  expect(await bridge.chooseFolder('/home/me')).toBe('/home/me/Pictures')
  await bridge.chooseFolder(null)
  await bridge.chooseFolder('//server/share')
  expect(started).toEqual(['/home/me', folder, folder])
  fake.openDialog = { canceled: true, filePaths: [] }
  expect(await bridge.chooseFolder(null)).toBeNull()
})

test('reveal shows existing files on this machine', async () => {
  await bridge.reveal(folder)
  expect(fake.revealed).toEqual([folder])
  for (const path of [join(folder, 'gone'), 'relative', '//server/share', '\\\\server\\share']) {
    await expect(bridge.reveal(path)).rejects.toThrow('no longer exists')
  }
  expect(fake.revealed).toEqual([folder])
})

describe('saved results', () => {
  const paths = ['/home/me/a.png', '/home/me/b.png']

  test('are opened by their jobs, at the paths that the service knows', async () => {
    service.answer = (_, response) => void response.end(JSON.stringify(paths))
    await bridge.openOutput(JOB)
    expect(fake.openedFiles).toEqual(paths.slice(0, 1))
    expect(service.requests.map(({ path }) => path)).toEqual([`/app/saved?ids=${JOB}`])
  })

  test('that no longer exist are reported', async () => {
    service.answer = (_, response) => void response.end('[]')
    await expect(bridge.openOutput(JOB)).rejects.toThrow('was not saved')
    expect(fake.openedFiles).toEqual([])
  })
})

test('settings of the shell are shown and changed, and an update is installed', async () => {
  expect(await bridge.settings()).toEqual(settings)
  expect(await bridge.changeSettings({ keepRunning: true })).toMatchObject({ keepRunning: true })
  await bridge.installUpdate()
  expect(install).toHaveBeenCalledOnce()
})

test('onLinked returns the pages of an earlier link and of later ones', async () => {
  pages.push('history')
  const heard: string[] = []
  const stop = bridge.onLinked(page => heard.push(page))
  await eventually(() => expect(heard).toEqual(['history']))
  pages.push('settings')
  ipcRenderer.emit(LINKED)
  await eventually(() => expect(heard).toEqual(['history', 'settings']))
  stop()
})

test('onOpened returns files opened before and after, each once, until unsubscribed', async () => {
  service.answer = (_, response) => void response.end('{"id":"1"}')
  const open = (name: string) => {
    writeFileSync(join(folder, name), name)
    opened.add([join(folder, name)])
  }
  open('before.png')
  await eventually(() => expect(service.requests).toHaveLength(1))
  const heard: string[] = []
  const stop = bridge.onOpened(files => heard.push(...files.map(file => file.name)))
  await eventually(() => expect(heard).toEqual(['before.png']))
  open('after.png')
  await eventually(() => expect(heard).toEqual(['before.png', 'after.png']))
  stop()
  open('late.png')
  await eventually(() => expect(service.requests).toHaveLength(3))
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(heard).toEqual(['before.png', 'after.png'])
})

test('the shell hears whether the page is going to convert further files', async () => {
  await bridge.expect(true)
  expect(expectFiles).toHaveBeenLastCalledWith(true, expect.anything())
  await expect(bridge.expect('soon' as unknown as boolean)).rejects.toThrow('not a request for expect')
})
