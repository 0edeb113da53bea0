import { Menu, type MenuItemConstructorOptions } from 'electron'
import { message } from '../service/shared/messages/message.ts'
import { say } from './words.ts'

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
    about: item('about', say(message('menu.about'))),
    services: item('services', say(message('menu.services'))),
    hide: item('hide', say(message('menu.hide'))),
    hideOthers: item('hideOthers', say(message('menu.hide_others'))),
    unhide: item('unhide', say(message('menu.show_all'))),
    quit: item('quit', say(message('shell.quit'))),
    undo: item('undo', say(message('menu.undo'))),
    redo: item('redo', say(message('menu.redo'))),
    cut: item('cut', say(message('menu.cut'))),
    copy: item('copy', say(message('menu.copy'))),
    paste: item('paste', say(message('menu.paste'))),
    selectAll: item('selectAll', say(message('menu.select_all'))),
    reload: item('reload', say(message('menu.reload'))),
    developer: item('toggleDevTools', say(message('menu.developer'))),
    resetZoom: item('resetZoom', say(message('menu.reset_zoom'))),
    zoomIn: item('zoomIn', say(message('menu.zoom_in'))),
    zoomOut: item('zoomOut', say(message('menu.zoom_out'))),
    fullscreen: item('togglefullscreen', say(message('menu.fullscreen'))),
    minimize: item('minimize', say(message('menu.minimize'))),
    close: item('close', say(message('menu.close'))),
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
    label: say(message('menu.file')),
    submenu: [
      {
        label: say(message('menu.open_files')),
        accelerator: 'CmdOrCtrl+O',
        click: () => actions.openFiles(),
      },
      separator,
      {
        label: say(message('menu.keep_running')),
        type: 'checkbox',
        checked: actions.keepRunning,
        click: item => actions.setKeepRunning(item.checked),
      },
      separator,
      mac ? is.close : is.quit,
    ],
  }
  const edit: MenuItemConstructorOptions = {
    label: say(message('menu.edit')),
    submenu: [is.undo, is.redo, separator, is.cut, is.copy, is.paste, is.selectAll],
  }
  const view: MenuItemConstructorOptions = {
    label: say(message('menu.view')),
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
    label: say(message('menu.window')),
    submenu: mac ? [is.minimize] : [is.minimize, is.close],
  }
  const help: MenuItemConstructorOptions = {
    role: 'help',
    label: say(message('menu.help')),
    submenu: [{ label: say(message('menu.website')), click: () => actions.openWebsite() }],
  }
  Menu.setApplicationMenu(Menu.buildFromTemplate([...(mac ? [own] : []), file, edit, view, window, help]))
}
