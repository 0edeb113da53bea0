import { Menu, type MenuItemConstructorOptions } from 'electron'

export interface MenuActions {
  openFiles: () => void
  openWebsite: () => void
  keepRunning: boolean
  setKeepRunning: (on: boolean) => void
  /** Developer tools, for anyone but those who installed a release. */
  developer: boolean
}

/** The application menu, by each platform's customs. */
export function setMenu(actions: MenuActions): void {
  const mac = process.platform === 'darwin'
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  const keepRunning: MenuItemConstructorOptions = {
    label: 'Keep Running in the Background',
    type: 'checkbox',
    checked: actions.keepRunning,
    click: item => actions.setKeepRunning(item.checked),
  }
  const file: MenuItemConstructorOptions = {
    label: '&File',
    submenu: [
      { label: 'Open Files…', accelerator: 'CmdOrCtrl+O', click: () => actions.openFiles() },
      separator,
      keepRunning,
      separator,
      mac ? { role: 'close' } : { role: 'quit' },
    ],
  }
  const view: MenuItemConstructorOptions = {
    label: '&View',
    submenu: [
      { role: 'reload' },
      ...(actions.developer ? [{ role: 'toggleDevTools' } as const] : []),
      separator,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      separator,
      { role: 'togglefullscreen' },
    ],
  }
  const help: MenuItemConstructorOptions = {
    role: 'help',
    submenu: [{ label: 'Refile on the Web', click: () => actions.openWebsite() }],
  }
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(mac ? [{ role: 'appMenu' } as const] : []),
      file,
      { role: 'editMenu' },
      view,
      { role: 'windowMenu' },
      help,
    ]),
  )
}
