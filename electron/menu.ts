import { Menu, type MenuItemConstructorOptions } from 'electron'
import { type Message, message } from '../service/shared/messages/message.ts'
import { translate } from './words.ts'

export interface MenuActions {
  openFiles: () => void
  openWebsite: () => void
  keepRunning: boolean
  setKeepRunning: (on: boolean) => void
  /** Developer tools, except in installed releases. */
  developer: boolean
}

const separator: MenuItemConstructorOptions = { type: 'separator' }

/** Electron's own labels for its roles are English, so each gets ours. */
const item = (
  role: NonNullable<MenuItemConstructorOptions['role']>,
  label: Message,
): MenuItemConstructorOptions => ({ role, label: translate(label) })

const menu = (label: Message, submenu: MenuItemConstructorOptions[]): MenuItemConstructorOptions => ({
  ...{ label: translate(label), submenu },
})

/** The application menu, following each platform's conventions, in the language of the page. */
export function setMenu(actions: MenuActions): void {
  const mac = process.platform === 'darwin'
  const quit = item('quit', message('shell.quit'))
  const close = item('close', message('menu.close'))
  const minimize = item('minimize', message('menu.minimize'))
  const own: MenuItemConstructorOptions = {
    label: 'Refile',
    submenu: [
      item('about', message('menu.about')),
      separator,
      item('services', message('menu.services')),
      separator,
      item('hide', message('menu.hide')),
      item('hideOthers', message('menu.hide_others')),
      item('unhide', message('menu.show_all')),
      separator,
      quit,
    ],
  }
  const file = menu(message('menu.file'), [
    {
      label: translate(message('menu.open_files')),
      accelerator: 'CmdOrCtrl+O',
      click: () => actions.openFiles(),
    },
    separator,
    {
      label: translate(message('menu.keep_running')),
      type: 'checkbox',
      checked: actions.keepRunning,
      click: ({ checked }) => actions.setKeepRunning(checked),
    },
    separator,
    mac ? close : quit,
  ])
  const edit = menu(message('menu.edit'), [
    item('undo', message('menu.undo')),
    item('redo', message('menu.redo')),
    separator,
    item('cut', message('menu.cut')),
    item('copy', message('menu.copy')),
    item('paste', message('menu.paste')),
    item('selectAll', message('menu.select_all')),
  ])
  const view = menu(message('menu.view'), [
    item('reload', message('menu.reload')),
    ...(actions.developer ? [item('toggleDevTools', message('menu.developer'))] : []),
    separator,
    item('resetZoom', message('menu.reset_zoom')),
    item('zoomIn', message('menu.zoom_in')),
    item('zoomOut', message('menu.zoom_out')),
    separator,
    item('togglefullscreen', message('menu.fullscreen')),
  ])
  const window = menu(message('menu.window'), mac ? [minimize] : [minimize, close])
  const help: MenuItemConstructorOptions = {
    role: 'help',
    label: translate(message('menu.help')),
    submenu: [{ label: translate(message('menu.website')), click: () => actions.openWebsite() }],
  }
  Menu.setApplicationMenu(Menu.buildFromTemplate([...(mac ? [own] : []), file, edit, view, window, help]))
}
