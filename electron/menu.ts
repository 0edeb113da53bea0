import { Menu, type MenuItemConstructorOptions } from 'electron'
import { message } from '../service/shared/messages/message.ts'
import { translate } from './words.ts'

export interface MenuActions {
  openFiles: () => void
  openWebsite: () => void
  keepRunning: boolean
  setKeepRunning: (on: boolean) => void
  /** Developer tools, except in installed releases. */
  developer: boolean
}

/** Electron's own labels for its roles are English, so each gets ours. */
function roles() {
  type Role = NonNullable<MenuItemConstructorOptions['role']>
  const item = (role: Role, label: string): MenuItemConstructorOptions => ({ role, label })
  return {
    about: item('about', translate(message('menu.about'))),
    services: item('services', translate(message('menu.services'))),
    hide: item('hide', translate(message('menu.hide'))),
    hideOthers: item('hideOthers', translate(message('menu.hide_others'))),
    unhide: item('unhide', translate(message('menu.show_all'))),
    quit: item('quit', translate(message('shell.quit'))),
    undo: item('undo', translate(message('menu.undo'))),
    redo: item('redo', translate(message('menu.redo'))),
    cut: item('cut', translate(message('menu.cut'))),
    copy: item('copy', translate(message('menu.copy'))),
    paste: item('paste', translate(message('menu.paste'))),
    selectAll: item('selectAll', translate(message('menu.select_all'))),
    reload: item('reload', translate(message('menu.reload'))),
    developer: item('toggleDevTools', translate(message('menu.developer'))),
    resetZoom: item('resetZoom', translate(message('menu.reset_zoom'))),
    zoomIn: item('zoomIn', translate(message('menu.zoom_in'))),
    zoomOut: item('zoomOut', translate(message('menu.zoom_out'))),
    fullscreen: item('togglefullscreen', translate(message('menu.fullscreen'))),
    minimize: item('minimize', translate(message('menu.minimize'))),
    close: item('close', translate(message('menu.close'))),
  }
}

/** The application menu, following each platform's conventions, in the language of the page. */
export function setMenu(actions: MenuActions): void {
  const mac = process.platform === 'darwin'
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  const is = roles()
  const own: MenuItemConstructorOptions = {
    label: 'Refile',
    submenu: [
      is.about,
      separator,
      is.services,
      separator,
      is.hide,
      is.hideOthers,
      is.unhide,
      separator,
      is.quit,
    ],
  }
  const file: MenuItemConstructorOptions = {
    label: translate(message('menu.file')),
    submenu: [
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
        click: item => actions.setKeepRunning(item.checked),
      },
      separator,
      mac ? is.close : is.quit,
    ],
  }
  const edit: MenuItemConstructorOptions = {
    label: translate(message('menu.edit')),
    submenu: [is.undo, is.redo, separator, is.cut, is.copy, is.paste, is.selectAll],
  }
  const view: MenuItemConstructorOptions = {
    label: translate(message('menu.view')),
    submenu: [
      is.reload,
      ...(actions.developer ? [is.developer] : []),
      separator,
      is.resetZoom,
      is.zoomIn,
      is.zoomOut,
      separator,
      is.fullscreen,
    ],
  }
  const window: MenuItemConstructorOptions = {
    label: translate(message('menu.window')),
    submenu: mac ? [is.minimize] : [is.minimize, is.close],
  }
  const help: MenuItemConstructorOptions = {
    role: 'help',
    label: translate(message('menu.help')),
    submenu: [{ label: translate(message('menu.website')), click: () => actions.openWebsite() }],
  }
  Menu.setApplicationMenu(Menu.buildFromTemplate([...(mac ? [own] : []), file, edit, view, window, help]))
}
