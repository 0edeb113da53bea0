import { type BrowserWindow, type BrowserWindowConstructorOptions, nativeTheme } from 'electron'
import type { Theme } from './ipc.ts'

/** As high as the strip that the page keeps free. */
const HEIGHT_PX = 36

/** Windows draws its buttons over the page, whose colour shows through, in the page's own ink. */
const overlay = () => ({
  color: '#00000000',
  symbolColor: nativeTheme.shouldUseDarkColors ? '#e5ece8' : '#15201a',
  height: HEIGHT_PX,
})

/** How the page extends to the window's edge, with the system's buttons over it; Linux keeps the bar of its desktop. */
export function titleBar(): BrowserWindowConstructorOptions {
  if (process.platform === 'darwin')
    return { titleBarStyle: 'hiddenInset', titleBarOverlay: { height: HEIGHT_PX } }
  if (process.platform === 'win32') return { titleBarStyle: 'hidden', titleBarOverlay: overlay() }
  return {}
}

/** Keeps the buttons of a window legible when light becomes dark or the reverse. */
export function followTheme(window: BrowserWindow): void {
  if (process.platform !== 'win32') return
  const follow = () => window.setTitleBarOverlay(overlay())
  nativeTheme.on('updated', follow)
  window.on('closed', () => nativeTheme.off('updated', follow))
}

/** Gives the system's menus, dialogs and buttons the theme that was chosen for the page. */
export function setTheme(theme: Theme): void {
  nativeTheme.themeSource = theme === 'auto' ? 'system' : theme
}
