import { BrowserWindow, nativeTheme, type Rectangle, screen } from 'electron'
import type { Preferences } from './preferences.ts'

/** The page's own colours behind it, so that nothing flashes before the first frame. */
const BACKGROUND = { dark: '#0e1311', light: '#f3f5f1' }

/** Room a remembered window must share with a screen to be found by its person, in pixels. */
const REACHABLE = 64

/** Bounds as they were, unless the screen they were on is gone. */
function reachable(bounds: Rectangle | null): Partial<Rectangle> {
  if (!bounds) return {}
  const { workArea } = screen.getDisplayMatching(bounds)
  const shared = (start: number, size: number, from: number, extent: number) =>
    Math.min(start + size, from + extent) - Math.max(start, from)
  const across = shared(bounds.x, bounds.width, workArea.x, workArea.width)
  const down = shared(bounds.y, bounds.height, workArea.y, workArea.height)
  return across >= REACHABLE && down >= REACHABLE && bounds.y >= workArea.y ? bounds : {}
}

export interface WindowOptions {
  preload: string
  icon: string
  preferences: Preferences
  /** A new one-time address of the page, for every load that has no session yet. */
  openUrl: () => string
}

/** Opens the one window, which shows the service's page, shut off from Node and the system. */
export function openWindow({ preload, icon, preferences, openUrl }: WindowOptions): BrowserWindow {
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
  if (preferences.maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  window.on('close', () => {
    preferences.bounds = window.getNormalBounds()
    preferences.maximized = window.isMaximized()
  })
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') void window.loadURL(openUrl())
  })
  void window.loadURL(openUrl())
  return window
}
