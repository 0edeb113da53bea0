import { join } from 'node:path'
import { Menu, Tray } from 'electron'

/** Shows the tray icon: the way back to a closed window, and the way out. The caller keeps it from being collected. */
export function showTray(icons: string, actions: { open: () => void; quit: () => void }): Tray {
  const tray = new Tray(join(icons, process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'))
  tray.setToolTip('Refile')
  tray.setContextMenu(
    Menu.buildFromTemplate([
      { label: 'Open Refile', click: actions.open },
      { type: 'separator' },
      { label: 'Quit', click: actions.quit },
    ]),
  )
  tray.on('click', actions.open)
  return tray
}
