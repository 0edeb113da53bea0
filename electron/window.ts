import { BrowserWindow, nativeTheme, type Rectangle, screen } from 'electron'
import { message } from '../service/shared/messages/message.ts'
import type { Preferences } from './preferences.ts'
import { askToTryAgain, LATE_MS, mayClose } from './problem-dialogs.ts'
import { followTheme, titleBar } from './title-bar.ts'

/** The page's own colours behind it, so that nothing flashes before the first frame. */
const BACKGROUND = { dark: '#0e1311', light: '#f3f5f1' }

/** How many pixels of a remembered window must be on a screen, so that it can be seen and moved. */
const REACHABLE_PX = 64

/** The remembered bounds, unless their screen is gone. */
function reachable(bounds: Rectangle | null): Partial<Rectangle> {
  if (!bounds) return {}
  const { workArea } = screen.getDisplayMatching(bounds)
  const shared = (start: number, size: number, from: number, extent: number) =>
    Math.min(start + size, from + extent) - Math.max(start, from)
  const across = shared(bounds.x, bounds.width, workArea.x, workArea.width)
  const down = shared(bounds.y, bounds.height, workArea.y, workArea.height)
  return across >= REACHABLE_PX && down >= REACHABLE_PX && bounds.y >= workArea.y ? bounds : {}
}

/** How often a page that crashes is loaded again within a while, before the person is asked. */
const MAX_RELOADS = 3
const RELOADS_WITHIN_MS = 60_000

/** Chromium's error of a load that gave way to another one. */
const isSuperseded = (error: unknown): boolean => (error as { code?: string } | null)?.code === 'ERR_ABORTED'

export interface WindowOptions {
  preload: string
  icon: string
  preferences: Preferences
  /** A new one-time URL of the page, for every load without a session. */
  openUrl: () => Promise<string>
  onError: (error: unknown) => void
  /** Called when the person closes the window, after its bounds were recorded. Returns whether only to hide it. */
  onClose: () => boolean
  /** Called when the person keeps it open instead of losing files that are being added. */
  onKeep: () => void
  /** Called when it is hidden or shown. */
  onHide: () => void
  onShow: () => void
}

/** The app's only window, which may be closed and reopened. It shows the service's page, isolated from Node and the system. */
export class MainWindow {
  readonly #options: WindowOptions
  #window: BrowserWindow | undefined

  constructor(options: WindowOptions) {
    this.#options = options
  }

  /** Opens the window, or brings it to the front. */
  show(): void {
    this.#options.onShow()
    if (!this.#window) {
      this.#window = this.#open()
      return
    }
    if (this.#window.isMinimized()) this.#window.restore()
    this.#window.show()
    this.#window.focus()
  }

  /** Whether it is on the screen, as opposed to closed or hidden. */
  isVisible(): boolean {
    return this.#window?.isVisible() ?? false
  }

  /** Whether the person is looking at it. */
  isFocused(): boolean {
    return this.#window?.isFocused() ?? false
  }

  /** Shows the progress on the taskbar or the dock; null removes it. */
  setProgress(share: number | null): void {
    this.#window?.setProgressBar(share ?? -1)
  }

  send(channel: string): void {
    this.#window?.webContents.send(channel)
  }

  #open(): BrowserWindow {
    const { preload, icon, preferences, onClose, onKeep, onHide } = this.#options
    const window = new BrowserWindow({
      width: 1200,
      height: 800,
      ...reachable(preferences.bounds),
      minWidth: 720,
      minHeight: 520,
      show: false,
      title: 'Refile',
      icon,
      backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
      autoHideMenuBar: true,
      ...titleBar(),
      webPreferences: {
        preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        // It would download dictionaries from the internet.
        spellcheck: false,
      },
    })
    followTheme(window)
    if (preferences.maximized) window.maximize()
    window.once('ready-to-show', () => window.show())
    // An empty window is more informative than none.
    const late = setTimeout(() => window.show(), LATE_MS)
    window.on('close', event => {
      preferences.bounds = window.getNormalBounds()
      preferences.maximized = window.isMaximized()
      if (!onClose()) return
      event.preventDefault()
      window.hide()
      onHide()
    })
    // The page objects while files are being added; without an answer nothing would happen.
    window.webContents.on('will-prevent-unload', event => {
      if (mayClose(window)) event.preventDefault()
      else onKeep()
    })
    window.on('closed', () => {
      clearTimeout(late)
      this.#window = undefined
    })
    let crashes: number[] = []
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason === 'clean-exit') return
      const now = performance.now()
      crashes = [...crashes.filter(time => time > now - RELOADS_WITHIN_MS), now]
      if (crashes.length <= MAX_RELOADS) void this.#load(window)
      else {
        crashes = []
        void askToTryAgain(message('shell.page_crashed'), () => void this.#load(window))
      }
    })
    void this.#load(window)
    return window
  }

  /** Loads the page, or says that it cannot be loaded. */
  async #load(window: BrowserWindow): Promise<void> {
    try {
      if (window.isDestroyed()) return this.show()
      const url = await this.#options.openUrl()
      if (!window.isDestroyed()) await window.loadURL(url)
    } catch (error) {
      // Closed meanwhile, or loaded again.
      if (window.isDestroyed() || isSuperseded(error)) return
      this.#options.onError(error)
      void askToTryAgain(message('shell.no_page'), () => void this.#load(window))
    }
  }
}
