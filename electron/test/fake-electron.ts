import { fork, type StdioOptions } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { Readable } from 'node:stream'

/**
 * Replaces Electron's module where Electron cannot run, for both main and preload. It enforces Electron's rules on
 * order (what needs a ready app, what must come before) and records calls; `fake` gives access to the records.
 */

type Listener = (...args: never[]) => unknown
type Answer<T> = T | ((options: Record<string, unknown>) => T)

interface PreventableEvent {
  defaultPrevented: boolean
  preventDefault(): void
  [field: string]: unknown
}

/** An event as Electron emits it, with additional `fields`. */
export function preventable(fields: Record<string, unknown> = {}): PreventableEvent {
  return {
    ...fields,
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true
    },
  }
}

export const fake = {
  isReady: false,
  isPackaged: false,
  hasLock: true,
  paths: { downloads: tmpdir() } as Record<string, string>,
  /** The argument of `app.exit`. */
  exitCode: null as number | null,
  sandboxed: false,
  windows: [] as BrowserWindow[],
  trays: [] as Tray[],
  notifications: [] as Notification[],
  menu: [] as MenuItem[],
  /** What a person does with a menu that pops up. */
  popup: (_menu: MenuItem[]): void => {},
  /** What loading the page fails with. */
  loadProblem: null as Error | null,
  /** What a desktop without a tray fails with. */
  trayProblem: null as Error | null,
  /** Whether the page objects to being left. */
  objects: false,
  /** The button that is pressed in a box that blocks. */
  pressed: 0,
  blockingBoxes: [] as string[],
  messageBoxes: [] as { message: string; press: (button: number) => void; signal?: AbortSignal }[],
  openedOutside: [] as string[],
  /** Patterns of the requests that the session looks at. */
  watchedUrls: [] as string[],
  revealed: [] as string[],
  recycled: [] as string[],
  openedFiles: [] as string[],
  schemes: [] as string[],
  badge: 0,
  openAtLogin: false,
  systemLanguages: ['en-GB'],
  errorBoxes: [] as [title: string, content: string][],
  handlers: new Map<string, (event: unknown, request: unknown) => unknown>(),
  bridges: new Map<string, unknown>(),
  displays: { x: 0, y: 0, width: 1920, height: 1080 },
  darkMode: true,
  accentColor: '0078d4ff',
  saveDialog: { canceled: true } as Answer<{ canceled: boolean; filePath?: string }>,
  openDialog: { canceled: true, filePaths: [] } as Answer<{ canceled: boolean; filePaths: string[] }>,
  forks: [] as { entry: string; options: ForkOptions; process: UtilityProcess }[],
}

function needReady(what: string): void {
  if (!fake.isReady) throw new Error(`${what} cannot be used before app is ready`)
}

function needUnready(what: string): void {
  if (fake.isReady) throw new Error(`${what} must be called before app is ready`)
}

class App extends EventEmitter {
  get isPackaged() {
    return fake.isPackaged
  }
  enableSandbox() {
    needUnready('app.enableSandbox()')
    fake.sandboxed = true
  }
  setPath(name: string, path: string) {
    if (name === 'userData') needUnready('app.setPath')
    fake.paths[name] = path
  }
  getPath(name: string) {
    const path = fake.paths[name]
    if (!path) throw new Error(`Failed to get '${name}' path`)
    return path
  }
  setAppUserModelId() {}
  getPreferredSystemLanguages() {
    return fake.systemLanguages
  }
  setAsDefaultProtocolClient(scheme: string) {
    fake.schemes.push(scheme)
  }
  setBadgeCount(count: number) {
    fake.badge = count
  }
  getLoginItemSettings() {
    return { openAtLogin: fake.openAtLogin }
  }
  setLoginItemSettings({ openAtLogin }: { openAtLogin: boolean }) {
    fake.openAtLogin = openAtLogin
  }
  requestSingleInstanceLock() {
    return fake.hasLock
  }
  async whenReady() {
    await new Promise(resolve => setImmediate(resolve))
    fake.isReady = true
  }
  quit() {
    if (fake.exitCode !== null) return
    this.emit('before-quit', preventable())
    if (!fake.windows.slice().every(window => window.close())) return
    this.#finish()
  }
  exit(code = 0) {
    fake.exitCode ??= code
    this.emit('quit', {}, code)
  }
  #finish() {
    const event = preventable()
    this.emit('will-quit', event)
    if (!event.defaultPrevented) this.exit(0)
  }
}

export const app = new App()

class WebContents extends EventEmitter {
  windowOpenHandler: ((details: { url: string }) => { action: string }) | undefined
  setWindowOpenHandler(handler: NonNullable<WebContents['windowOpenHandler']>) {
    this.windowOpenHandler = handler
  }
  send(channel: string, ...args: unknown[]) {
    ipcRenderer.emit(channel, {}, ...args)
  }
}

export class BrowserWindow extends EventEmitter {
  readonly webContents = new WebContents()
  readonly options: Record<string, unknown>
  readonly urls: string[] = []
  bounds = { x: 0, y: 0, width: 1200, height: 800 }
  visible = false
  focused = false
  minimized = false
  maximized = false

  constructor(options: Record<string, unknown>) {
    super()
    needReady('BrowserWindow')
    this.options = options
    fake.windows.push(this)
    app.emit('web-contents-created', {}, this.webContents)
  }
  static fromWebContents(contents: unknown) {
    return fake.windows.find(window => window.webContents === contents) ?? null
  }
  async loadURL(url: string) {
    this.urls.push(url)
    if (fake.loadProblem) throw fake.loadProblem
    setImmediate(() => this.emit('ready-to-show'))
  }
  isDestroyed() {
    return !fake.windows.includes(this)
  }
  /** Simulates the person closing it. Returns false if a listener or the page prevented that. */
  close() {
    const event = preventable()
    this.emit('close', event)
    if (event.defaultPrevented) return false
    const objection = preventable()
    if (fake.objects) this.webContents.emit('will-prevent-unload', objection)
    if (fake.objects && !objection.defaultPrevented) return false
    fake.windows.splice(fake.windows.indexOf(this), 1)
    this.emit('closed')
    if (fake.windows.length === 0) app.emit('window-all-closed')
    return true
  }
  show() {
    this.visible = true
  }
  hide() {
    this.visible = false
  }
  focus() {
    this.focused = true
  }
  restore() {
    this.minimized = false
  }
  maximize() {
    this.maximized = true
  }
  setTitleBarOverlay(overlay: Record<string, unknown>) {
    this.options.titleBarOverlay = overlay
  }
  progress = -1
  setProgressBar(share: number) {
    this.progress = share
  }
  isVisible() {
    return this.visible
  }
  isFocused() {
    return this.focused
  }
  isMinimized() {
    return this.minimized
  }
  isMaximized() {
    return this.maximized
  }
  getNormalBounds() {
    return this.bounds
  }
}

interface MenuItem {
  label?: string
  role?: string
  type?: string
  checked?: boolean
  click?: (item: { checked: boolean }) => void
  submenu?: MenuItem[]
}

export const Menu = {
  buildFromTemplate: (template: MenuItem[]) =>
    Object.assign(template, {
      popup({ callback }: { callback: () => void }) {
        callback()
        fake.popup(template)
      },
    }),
  setApplicationMenu: (menu: MenuItem[]) => {
    fake.menu = menu
  },
}

export class Tray extends EventEmitter {
  menu: MenuItem[] = []
  destroyed = false
  constructor() {
    super()
    needReady('Tray')
    if (fake.trayProblem) throw fake.trayProblem
    fake.trays.push(this)
  }
  toolTip = ''
  setToolTip(text: string) {
    this.toolTip = text
  }
  setContextMenu(menu: MenuItem[]) {
    this.menu = menu
  }
  destroy() {
    this.destroyed = true
  }
}

export class Notification extends EventEmitter {
  readonly options: { title: string; body: string }
  shown = false
  constructor(options: { title: string; body: string }) {
    super()
    this.options = options
    fake.notifications.push(this)
  }
  static isSupported() {
    return true
  }
  show() {
    this.shown = true
  }
}

const answer = <T>(given: Answer<T>, options: Record<string, unknown>): T =>
  typeof given === 'function' ? (given as (options: Record<string, unknown>) => T)(options) : given

/** The options are the last argument; the window may precede them. */
export const dialog = {
  showErrorBox: (title: string, content: string) => void fake.errorBoxes.push([title, content]),
  /** Waits for a test to press a button; its signal closes it with the cancel button. */
  showMessageBox: (options: { message: string; cancelId: number; signal?: AbortSignal }) =>
    new Promise<{ response: number }>(resolve => {
      needReady('dialog.showMessageBox')
      const press = (response: number) => resolve({ response })
      options.signal?.addEventListener('abort', () => press(options.cancelId))
      fake.messageBoxes.push({ ...options, press })
    }),
  showMessageBoxSync: (_window: BrowserWindow, { message }: { message: string }) => {
    fake.blockingBoxes.push(message)
    return fake.pressed
  },
  showSaveDialog: async (...args: unknown[]) =>
    answer(fake.saveDialog, args.at(-1) as Record<string, unknown>),
  showOpenDialog: async (...args: unknown[]) =>
    answer(fake.openDialog, args.at(-1) as Record<string, unknown>),
}

export const shell = {
  openExternal: async (url: string) => void fake.openedOutside.push(url),
  showItemInFolder: (path: string) => void fake.revealed.push(path),
  trashItem: async (path: string) => {
    fake.recycled.push(path)
    await rm(path)
  },
  openPath: async (path: string) => {
    fake.openedFiles.push(path)
    return ''
  },
}

class NativeTheme extends EventEmitter {
  #source = 'system'
  get shouldUseDarkColors() {
    return this.#source === 'system' ? fake.darkMode : this.#source === 'dark'
  }
  get themeSource() {
    return this.#source
  }
  set themeSource(source: string) {
    this.#source = source
    this.emit('updated')
  }
}

export const nativeTheme = new NativeTheme()

export const systemPreferences = { getAccentColor: () => fake.accentColor }

export const screen = {
  getDisplayMatching: () => ({ workArea: fake.displays }),
}

class Session extends EventEmitter {
  readonly handlers: Record<string, Listener> = {}
  setPermissionRequestHandler(handler: Listener) {
    this.handlers.permissionRequest = handler
  }
  setPermissionCheckHandler(handler: Listener) {
    this.handlers.permissionCheck = handler
  }
  setDevicePermissionHandler(handler: Listener) {
    this.handlers.devicePermission = handler
  }
  readonly webRequest = {
    onBeforeRequest: (filter: { urls: string[] }, listener: Listener) => {
      fake.watchedUrls = filter.urls
      this.handlers.beforeRequest = listener
    },
  }
}

const defaultSession = new Session()

export const session = {
  get defaultSession() {
    needReady('session.defaultSession')
    return defaultSession
  },
}

export const ipcMain = {
  handle(channel: string, handler: (event: unknown, request: unknown) => unknown) {
    if (fake.handlers.has(channel)) throw new Error(`A second handler for '${channel}'`)
    fake.handlers.set(channel, handler)
  },
}

/** The page side: messages as if sent by the page in the first window. */
export const ipcRenderer = Object.assign(new EventEmitter(), {
  invoke: async (channel: string, request: unknown): Promise<unknown> => {
    const handler = fake.handlers.get(channel)
    const window = fake.windows[0]
    if (!handler || !window) throw new Error(`No handler registered for '${channel}'`)
    const url = window.urls.at(-1)
    const event = { sender: window.webContents, senderFrame: { url } }
    return structuredClone(await handler(event, structuredClone(request)))
  },
})

export const contextBridge = {
  exposeInMainWorld: (key: string, api: unknown) => void fake.bridges.set(key, api),
}

export const webUtils = {
  getPathForFile: (file: { path?: string }) => file.path ?? '',
}

interface ForkOptions {
  env?: Record<string, string>
  execArgv?: string[]
  stdio?: StdioOptions
  serviceName?: string
}

class UtilityProcess extends EventEmitter {
  /** Known once the process runs, and removed when it has ended. */
  pid: number | undefined
  stderr: Readable | null = null
  postMessage: (message: unknown) => void = () => {}
}

export const utilityProcess = {
  fork(entry: string, args: string[], options: ForkOptions): UtilityProcess {
    needReady('utilityProcess')
    // Electron passes V8's flags in a Chromium switch.
    const execArgv = (options.execArgv ?? []).map(word => word.replace(/^--js-flags=/, ''))
    const hasEnvironment = options.env && Object.keys(options.env).length > 0
    const child = fork(entry, args, {
      env: hasEnvironment ? options.env : process.env,
      execArgv: ['--import', new URL('./parent-port.ts', import.meta.url).href, ...execArgv],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    })
    const result = new UtilityProcess()
    result.stderr = child.stderr
    result.postMessage = message => void child.send(message as object, () => {})
    child.on('error', () => {})
    child.on('spawn', () => {
      result.pid = child.pid
      result.emit('spawn')
    })
    child.on('message', message => result.emit('message', message))
    child.on('exit', code => {
      result.pid = undefined
      result.emit('exit', code ?? 9)
    })
    fake.forks.push({ entry, options, process: result })
    return result
  },
}
