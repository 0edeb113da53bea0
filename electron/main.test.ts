import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { testFull } from '../testing/describe-full.ts'
import { eventually } from './test/eventually.ts'
import { ServiceDouble } from './test/service.ts'

const host = vi.hoisted(() => ({ startService: vi.fn(), close: vi.fn() }))
vi.mock('../service/host/host.ts', () => ({ startService: host.startService }))

/** How many times as fast as that of a person the time passes which the app waits when it ends. */
const HASTE = 4
vi.mock('node:timers/promises', async original => {
  const { setTimeout } = await original<typeof import('node:timers/promises')>()
  return { setTimeout: (ms: number) => setTimeout(ms / HASTE) }
})

let home: string
let service: ServiceDouble

/** Restarts the shell, keeping only the data folder. */
async function boot(before: (electron: typeof import('./test/fake-electron.ts')) => void = () => {}) {
  vi.resetModules()
  const electron = await import('./test/fake-electron.ts')
  before(electron)
  await import('./main.ts')
  const { fake } = electron
  const settled = () => fake.windows.length > 0 || fake.exitCode !== null || fake.errorBoxes.length > 0
  await eventually(() => expect(settled()).toBe(true))
  return electron
}

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'refile-shell-'))
  vi.stubEnv('REFILE_HOME', home)
  service = await new ServiceDouble().start()
  host.close.mockReset().mockResolvedValue(undefined)
  host.startService.mockReset().mockImplementation(async () => running())
})

/** The service once it has started. */
const running = () => ({ url: service.url, openUrl: () => service.openUrl(), close: host.close })

/** What the test runner itself does with errors that nothing caught. */
const others = (['uncaughtException', 'unhandledRejection'] as const).map(
  name => [name, process.listeners(name as 'uncaughtException')] as const,
)
const ownHandlers = () =>
  others.flatMap(([name, known]) =>
    process
      .listeners(name as 'uncaughtException')
      .filter(listener => !known.includes(listener))
      .map(listener => ({ name, listener })),
  )

afterEach(async () => {
  for (const { name, listener } of ownHandlers()) process.off(name, listener)
  vi.unstubAllEnvs()
  vi.useRealTimers()
  await service.close()
  rmSync(home, { recursive: true, force: true })
})

describe('an error that nothing caught', () => {
  test('is logged, and the window and the service stay', async () => {
    const { fake } = await boot()
    await eventually(() => expect(fake.windows[0]?.visible).toBe(true))
    for (const { listener } of ownHandlers()) listener(new Error('of the shell'), 'uncaughtException')
    // The log is written after the fact.
    await eventually(() =>
      expect(readFileSync(join(home, 'window', 'refile.log'), 'utf8')).toContain('of the shell'),
    )
    expect(ownHandlers().map(({ name }) => name)).toEqual(['uncaughtException', 'unhandledRejection'])
    expect([fake.exitCode, fake.errorBoxes, host.close.mock.calls]).toEqual([null, [], []])
  })

  test('is shown before there is a window, and the app ends', async () => {
    host.startService.mockImplementation(() => {
      for (const { name, listener } of ownHandlers()) {
        if (name === 'uncaughtException') listener(new Error('of the start'), name)
      }
      return new Promise(() => {})
    })
    const { fake } = await boot()
    expect(fake.errorBoxes).toEqual([['Refile could not start', 'of the start']])
    expect(fake.exitCode).toBe(1)
  })
})

describe('start', () => {
  test('opens one window with a one-time URL of the service, isolated from Node', async () => {
    const { fake } = await boot()
    expect(fake.sandboxed).toBe(true)
    expect(fake.windows).toHaveLength(1)
    const [window] = fake.windows
    expect(window?.urls).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/open\?token=\d$/)])
    expect(window?.options.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
      preload: expect.stringMatching(/preload[\\/]preload\.cjs$/),
    })
    expect(window?.options.webPreferences).not.toHaveProperty('webviewTag')
    await eventually(() => expect(window?.visible).toBe(true))
  })

  test('gives the service a spawner of utility processes, but no folder or port', async () => {
    await boot()
    const [options] = host.startService.mock.calls[0] ?? []
    expect(Object.keys(options).toSorted()).toEqual([
      'isApp',
      'log',
      'recycle',
      'rendererFolder',
      'resourcesFolder',
      'spawn',
      'workerEntry',
    ])
    expect(options.workerEntry).toMatch(/service[\\/]worker\.js$/)
  })

  test('has the system recycle originals', async () => {
    const { fake } = await boot()
    const original = join(home, 'a.jpg')
    writeFileSync(original, 'fine')
    await host.startService.mock.lastCall?.[0].recycle(original)
    expect(fake.recycled).toEqual([original])
  })

  test('keeps the browser profile inside the data folder', async () => {
    const { fake } = await boot()
    expect(fake.paths.userData).toBe(join(home, 'window'))
  })

  test('reports why the service cannot start, and exits', async () => {
    host.startService.mockRejectedValue(new Error('The data folder is in use.'))
    const { fake } = await boot()
    await eventually(() => expect(fake.exitCode).toBe(1))
    expect(fake.errorBoxes).toEqual([['Refile could not start', 'The data folder is in use.']])
    expect(fake.windows).toHaveLength(0)
  })

  test('reports an invalid setting, and exits', async () => {
    vi.stubEnv('REFILE_PORT', 'many')
    const { fake } = await boot()
    await eventually(() => expect(fake.exitCode).toBe(1))
    expect(fake.errorBoxes[0]?.[1]).toMatch(/REFILE_PORT/)
  })

  test.runIf(process.platform === 'linux')(
    'reports a data folder that cannot be made, and exits',
    async () => {
      // Node makes folders there without end.
      vi.stubEnv('REFILE_HOME', '/proc/x')
      const { fake } = await boot()
      await eventually(() => expect(fake.exitCode).toBe(1))
      expect(fake.errorBoxes[0]?.[1]).toMatch('/proc/x')
    },
  )
})

describe('trouble', () => {
  const crash = (window: { webContents: { emit: (...words: never[]) => unknown } } | undefined) =>
    window?.webContents.emit(...(['render-process-gone', {}, { reason: 'crashed' }] as never[]))

  test('a page that cannot be loaded is reported, and tried again', async () => {
    const { fake } = await boot(({ fake }) => {
      fake.loadProblem = new Error('ERR_CONNECTION_REFUSED')
    })
    await eventually(() => expect(fake.messageBoxes).toHaveLength(1))
    expect(fake.messageBoxes[0]?.message).toMatch(/does not answer/)
    expect(fake.windows[0]?.visible).toBe(false)
    fake.loadProblem = null
    fake.messageBoxes[0]?.press(0)
    await eventually(() => expect(fake.windows[0]?.visible).toBe(true))
    expect(fake.windows[0]?.urls).toHaveLength(2)
  })

  test('an address that the service refuses to give is reported, and the person may quit', async () => {
    const openUrl = () => Promise.reject(new Error('refused'))
    host.startService.mockImplementation(async () => ({ ...running(), openUrl }))
    const { fake } = await boot()
    await eventually(() => expect(fake.messageBoxes).toHaveLength(1))
    fake.messageBoxes[0]?.press(1)
    await eventually(() => expect(fake.exitCode).toBe(0))
    expect(readFileSync(join(home, 'window', 'refile.log'), 'utf8')).toContain('refused')
  })

  test('a page that crashes is loaded three times, and then the person is asked', async () => {
    const { fake } = await boot()
    const [window] = fake.windows
    for (const loads of [2, 3, 4]) {
      crash(window)
      await eventually(() => expect(window?.urls).toHaveLength(loads))
    }
    crash(window)
    await eventually(() => expect(fake.messageBoxes[0]?.message).toMatch(/several times/))
    expect(window?.urls).toHaveLength(4)
    fake.messageBoxes[0]?.press(0)
    await eventually(() => expect(window?.urls).toHaveLength(5))
  })

  test('a service that starts late is reported, until it has started', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let start = () => {}
    host.startService.mockImplementation(async () => {
      await new Promise<void>(resolve => (start = resolve))
      return running()
    })
    vi.resetModules()
    const { fake } = await import('./test/fake-electron.ts')
    await import('./main.ts')
    const turn = () => new Promise(resolve => setImmediate(resolve))
    while (host.startService.mock.calls.length === 0) await turn()
    await vi.advanceTimersByTimeAsync(14_000)
    expect(fake.messageBoxes).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(2000)
    expect(fake.messageBoxes[0]?.message).toMatch(/still starting/)
    start()
    while (fake.windows.length === 0) await turn()
    expect(fake.messageBoxes[0]?.signal?.aborted).toBe(true)
    expect(fake.exitCode).toBeNull()
  })

  test('a page that is never ready is shown after a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    vi.resetModules()
    const { fake, BrowserWindow } = await import('./test/fake-electron.ts')
    BrowserWindow.prototype.loadURL = () => new Promise(() => {})
    await import('./main.ts')
    while (fake.windows.length === 0) await new Promise(resolve => setImmediate(resolve))
    expect(fake.windows[0]?.visible).toBe(false)
    await vi.advanceTimersByTimeAsync(16_000)
    expect(fake.windows[0]?.visible).toBe(true)
  })
})

describe('an installation for Windows', () => {
  const system = Object.getOwnPropertyDescriptor(process, 'platform')!
  beforeEach(() => Object.defineProperty(process, 'platform', { ...system, value: 'win32' }))
  afterEach(() => {
    Object.defineProperty(process, 'platform', system)
    Object.assign(process, { resourcesPath: undefined })
  })

  /** What the app told the system about its place. */
  async function known() {
    const { fake, ipcRenderer } = await boot(({ fake }) => {
      fake.isPackaged = true
      Object.assign(process, { resourcesPath: home })
    })
    await ipcRenderer.invoke('changeSettings', { startAtLogin: true })
    const { answer } = (await ipcRenderer.invoke('settings', null)) as { answer: { startAtLogin: boolean } }
    return { schemes: fake.schemes, openAtLogin: fake.openAtLogin, offered: answer.startAtLogin }
  }

  test('registers its links, and its start with the session', async () => {
    expect(await known()).toEqual({ schemes: ['refile'], openAtLogin: true, offered: true })
  })

  test('has no bar over the page, and buttons in the ink of its theme', async () => {
    const { fake, ipcRenderer } = await boot()
    await eventually(() => expect(fake.windows).toHaveLength(1))
    const { options } = fake.windows[0]!
    const dark = { color: '#00000000', symbolColor: '#e5ece8', height: 36 }
    expect(options).toMatchObject({ titleBarStyle: 'hidden', titleBarOverlay: dark })
    await ipcRenderer.invoke('setTheme', 'light')
    expect(options.titleBarOverlay).toEqual({ ...dark, symbolColor: '#15201a' })
    await ipcRenderer.invoke('setTheme', 'auto')
    expect(options.titleBarOverlay).toEqual(dark)
    await expect(ipcRenderer.invoke('setTheme', 'pink')).rejects.toThrow('Refused')
  })

  test('does neither if it is portable, and runs from a temporary folder', async () => {
    vi.stubEnv('PORTABLE_EXECUTABLE_FILE', 'D:\\Refile.exe')
    expect(await known()).toEqual({ schemes: [], openAtLogin: false, offered: null })
  })
})

test.each([
  ['darwin', { titleBarStyle: 'hiddenInset', titleBarOverlay: { height: 36 } }],
  ['linux', {}],
])('a window on %s has the bar of its system', async (platform, bar) => {
  const system = Object.getOwnPropertyDescriptor(process, 'platform')!
  Object.defineProperty(process, 'platform', { ...system, value: platform })
  try {
    const { titleBar } = await import('./title-bar.ts')
    expect(titleBar()).toEqual(bar)
  } finally {
    Object.defineProperty(process, 'platform', system)
  }
})

describe('single instance', () => {
  test('a second instance exits before it starts a service', async () => {
    const { fake } = await boot(({ fake }) => {
      fake.hasLock = false
    })
    expect(fake.exitCode).toBe(0)
    expect(host.startService).not.toHaveBeenCalled()
  })

  test('the first instance comes to the front and receives the files', async () => {
    service.answer = (request, response) => {
      const name = basename(JSON.parse(request.body.toString()).path)
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id: '1', name }))
    }
    const { app, fake, ipcRenderer } = await boot()
    const [window] = fake.windows
    Object.assign(window!, { minimized: true, focused: false })
    writeFileSync(join(home, 'a.png'), 'picture')
    const signal = vi.fn()
    ipcRenderer.on('opened', signal)
    app.emit('second-instance', {}, ['electron', '.', '--flag', 'a.png', 'missing.png'], home)
    expect(window).toMatchObject({ minimized: false, focused: true, visible: true })
    await eventually(() => expect(signal).toHaveBeenCalled())
    expect(await ipcRenderer.invoke('takeOpened', null)).toEqual({
      ok: true,
      answer: [{ name: 'a.png', file: { id: '1', name: 'a.png' }, problem: null }],
    })
    expect(service.requests.map(request => `${request.method} ${request.path}`)).toEqual(['POST /app/files'])
  })

  test('files and links that come before anything else is loaded are kept', async () => {
    let hadProfile: boolean | undefined
    const { fake, ipcRenderer } = await boot(({ app, fake }) => {
      app.on('newListener', name => {
        if (name !== 'open-url') return
        hadProfile ??= fake.paths.userData !== undefined
        queueMicrotask(() => app.emit('open-url', { preventDefault() {} }, 'refile://open/history'))
      })
    })
    expect(hadProfile).toBe(false)
    expect(fake.windows).toHaveLength(1)
    expect(await ipcRenderer.invoke('takePage', null)).toEqual({ ok: true, answer: 'history' })
  })

  test('files opened before the app is ready wait for it', async () => {
    service.answer = (_, response) =>
      void response.writeHead(413).end('{"error":"jobs.gone","detail":"The file is too large."}')
    writeFileSync(join(home, 'early.mov'), 'video')
    let wasReady: boolean | undefined
    const { ipcRenderer, fake } = await boot(({ app, fake }) => {
      // macOS reports the file as soon as somebody listens.
      app.on('newListener', name => {
        if (name !== 'open-file') return
        queueMicrotask(() => {
          wasReady = fake.isReady
          app.emit('open-file', { preventDefault() {} }, join(home, 'early.mov'))
        })
      })
    })
    expect(wasReady).toBe(false)
    expect(fake.windows).toHaveLength(1)
    await eventually(async () =>
      expect(await ipcRenderer.invoke('takeOpened', null)).toEqual({
        ok: true,
        answer: [{ name: 'early.mov', file: null, problem: 'The file is too large.' }],
      }),
    )
  })
})

describe('window', () => {
  test('returns to its last position', async () => {
    const first = await boot()
    Object.assign(first.fake.windows[0]!, {
      bounds: { x: 40, y: 50, width: 900, height: 700 },
      maximized: true,
    })
    first.fake.windows[0]?.close()
    await eventually(() => expect(first.fake.exitCode).toBe(0))
    const { fake } = await boot()
    expect(fake.windows[0]?.options).toMatchObject({ x: 40, y: 50, width: 900, height: 700 })
    expect(fake.windows[0]?.maximized).toBe(true)
  })

  test('does not return to a screen that is gone', async () => {
    const first = await boot()
    first.fake.windows[0]!.bounds = { x: 2500, y: 50, width: 900, height: 700 }
    first.fake.windows[0]?.close()
    await eventually(() => expect(first.fake.exitCode).toBe(0))
    const { fake } = await boot()
    expect(fake.windows[0]?.options).not.toHaveProperty('x')
    expect(fake.windows[0]?.options).toMatchObject({ width: 1200, height: 800 })
  })

  test('gets a fresh session if its page crashes', async () => {
    const { fake } = await boot()
    fake.windows[0]?.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
    await eventually(() => expect(fake.windows[0]?.urls).toHaveLength(2))
    expect(fake.windows[0]?.urls[1]).not.toBe(fake.windows[0]?.urls[0])
  })

  test.skipIf(process.platform === 'darwin')('closing it ends the app on Linux and Windows', async () => {
    const { fake } = await boot()
    fake.windows[0]?.close()
    await eventually(() => expect(fake.exitCode).toBe(0))
    expect(host.close).toHaveBeenCalledOnce()
  })

  test('closing it while files are being added asks first', async () => {
    const { fake, app } = await boot()
    fake.objects = true
    expect(fake.windows[0]?.close()).toBe(false)
    app.quit()
    expect(fake.windows).toHaveLength(1)
    expect(fake.blockingBoxes).toHaveLength(2)
    expect(fake.blockingBoxes[0]).toMatch(/still being added/)
    fake.pressed = 1
    app.quit()
    await eventually(() => expect(fake.exitCode).toBe(0))
  })

  test('a quit that was taken back lets the window hide again', async () => {
    const { fake, app } = await boot()
    fake.menu
      .flatMap(menu => menu.submenu ?? [])
      .find(entry => entry.type === 'checkbox')
      ?.click?.({ checked: true })
    fake.objects = true
    app.quit()
    expect(fake.blockingBoxes).toHaveLength(1)
    const [window] = fake.windows
    window!.visible = true
    expect(window?.close()).toBe(false)
    expect(window?.visible).toBe(false)
    expect(fake.blockingBoxes).toHaveLength(1)
    fake.objects = false
    app.quit()
    await eventually(() => expect(fake.exitCode).toBe(0))
  })

  test('closing it keeps the app in the tray if the person wants that', async () => {
    const { fake, app } = await boot()
    expect(fake.trays).toHaveLength(0)
    const item = fake.menu.flatMap(menu => menu.submenu ?? []).find(entry => entry.type === 'checkbox')
    item?.click?.({ checked: true })
    const [window] = fake.windows
    window!.visible = true
    expect(window?.close()).toBe(false)
    expect(window?.visible).toBe(false)
    expect(fake.exitCode).toBeNull()
    fake.trays[0]?.menu.find(entry => entry.label === 'Open Refile')?.click?.({ checked: false })
    expect(window?.visible).toBe(true)
    expect(JSON.parse(readFileSync(join(home, 'window', 'window.json'), 'utf8'))).toMatchObject({
      keepRunning: true,
    })
    app.quit()
    await eventually(() => expect(fake.exitCode).toBe(0))
  })
})

test.runIf(process.platform === 'linux')(
  'a desktop without a tray: the page says how to come back',
  async () => {
    const { fake, app } = await boot(({ fake }) => {
      fake.trayProblem = new Error('no tray')
    })
    const item = fake.menu.flatMap(menu => menu.submenu ?? []).find(entry => entry.type === 'checkbox')
    item?.click?.({ checked: true })
    const [window] = fake.windows
    for (const _ of [1, 2]) {
      window!.visible = true
      expect(window?.close()).toBe(false)
      expect(window?.visible).toBe(false)
    }
    expect(fake.notifications.map(({ options }) => options.body)).toEqual([
      'Refile keeps running. Open it again to bring its window back.',
    ])
    app.emit('second-instance', {}, ['electron', '.'], home)
    expect(window?.visible).toBe(true)
    expect(fake.trays).toHaveLength(0)
  },
)

testFull('the menu uses the language of the system, and then that of the page', async () => {
  const { fake, ipcRenderer } = await boot(({ fake }) => {
    fake.systemLanguages = ['sv-SE', 'fr-CA', 'de']
  })
  const words = () => JSON.stringify(fake.menu)
  expect(words()).toContain('Ouvrir des fichiers…')
  // No role uses Electron's own labels, which are English.
  const items = fake.menu.flatMap(menu => [menu, ...(menu.submenu ?? [])])
  expect(items.filter(({ role, label }) => role !== undefined && label === undefined)).toEqual([])
  await expect(ipcRenderer.invoke('setLanguage', 'de')).resolves.toMatchObject({ ok: true })
  expect(words()).toContain('Dateien öffnen…')
  await expect(ipcRenderer.invoke('setLanguage', 'klingon')).rejects.toThrow('Refused')
  expect(JSON.parse(readFileSync(join(home, 'window', 'window.json'), 'utf8'))).toMatchObject({
    language: 'de',
  })
})

describe('quitting', () => {
  test('waits for the service to finish', async () => {
    let finish = () => {}
    host.close.mockReturnValue(new Promise<void>(resolve => (finish = resolve)))
    const { app, fake } = await boot()
    app.quit()
    app.quit()
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(fake.exitCode).toBeNull()
    finish()
    await eventually(() => expect(fake.exitCode).toBe(0))
    expect(host.close).toHaveBeenCalledOnce()
  })

  test('does not wait longer than 5 seconds', async () => {
    host.close.mockReturnValue(new Promise(() => {}))
    const { app, fake } = await boot()
    const started = performance.now()
    app.quit()
    await eventually(() => expect(fake.exitCode).toBe(0))
    // Longer than promised for a busy machine; nothing else ends it.
    expect(HASTE * (performance.now() - started)).toBeLessThan(9000)
  })

  test('before the service has started waits for it, and opens no window', async () => {
    let start = () => {}
    host.startService.mockImplementation(async () => {
      await new Promise<void>(resolve => (start = resolve))
      return running()
    })
    vi.resetModules()
    const { app, fake } = await import('./test/fake-electron.ts')
    await import('./main.ts')
    await eventually(() => expect(host.startService).toHaveBeenCalled())
    app.quit()
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(fake.exitCode).toBeNull()
    start()
    await eventually(() => expect(fake.exitCode).toBe(0))
    expect(host.close).toHaveBeenCalledOnce()
    expect(fake.windows).toHaveLength(0)
  })

  test('does not blame a start that it has ended', async () => {
    let fail = (_error: Error) => {}
    host.startService.mockImplementation(() => new Promise((_, reject) => (fail = reject)))
    vi.resetModules()
    const { app, fake } = await import('./test/fake-electron.ts')
    await import('./main.ts')
    await eventually(() => expect(host.startService).toHaveBeenCalled())
    app.quit()
    fail(new Error('interrupted'))
    await eventually(() => expect(fake.exitCode).toBe(0))
    expect(fake.errorBoxes).toEqual([])
  })

  test('leaves time for what the page sends while it closes', async () => {
    const { app, fake } = await boot()
    const closed = performance.now()
    app.quit()
    await eventually(() => expect(fake.exitCode).toBe(0))
    expect(host.close).toHaveBeenCalledOnce()
    expect(HASTE * (performance.now() - closed)).toBeGreaterThan(250)
  })

  test('reports a service that cannot finish', async () => {
    host.close.mockRejectedValue(new Error('locked'))
    const { app, fake } = await boot()
    app.quit()
    await eventually(() => expect(fake.exitCode).toBe(1))
    const log = join(home, 'window', 'refile.log')
    await eventually(() => expect(readFileSync(log, 'utf8')).toContain('locked'))
  })
})
