import { join } from 'node:path'
import { Menu, type MenuItemConstructorOptions, Tray } from 'electron'
import { message } from '../service/shared/messages/message.ts'
import type { Batch } from '../service/web/app/types.ts'
import type { Progress } from './activity.ts'
import { translate } from './words.ts'

export interface TrayActions {
  open: () => void
  quit: () => void
  /** Shows the results of a batch. */
  show: (batch: Batch) => void
  /** Adds files that were dropped on the icon, if the system supports that. */
  add: (paths: string[]) => void
}

const separator: MenuItemConstructorOptions = { type: 'separator' }

/** The tray icon, while it is enabled: reopens a closed window, and shows running and finished work. */
export class TrayIcon {
  readonly #icons: string
  readonly #onError: (error: unknown) => void
  readonly #actions: TrayActions
  #tray: Tray | undefined
  #progress: Progress | null = null
  #recent: readonly Batch[] = []

  constructor(icons: string, onError: (error: unknown) => void, actions: TrayActions) {
    this.#icons = icons
    this.#onError = onError
    this.#actions = actions
  }

  /** Shows or removes the icon. */
  show(wanted: boolean): void {
    if (wanted === (this.#tray !== undefined)) return
    this.#tray?.destroy()
    this.#tray = undefined
    if (!wanted) return
    let tray: Tray
    try {
      tray = new Tray(join(this.#icons, process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'))
    } catch (error) {
      // A desktop without a tray: opening the app again brings the window back.
      this.#onError(error)
      return
    }
    tray.on('click', this.#actions.open)
    tray.on('drop-files', (_event, paths) => this.#actions.add(paths))
    this.#tray = tray
    this.draw()
  }

  update(progress: Progress | null, recent: readonly Batch[]): void {
    this.#progress = progress
    this.#recent = recent
    this.draw()
  }

  /** Draws it anew, as after a change of language. */
  draw(): void {
    if (!this.#tray) return
    const { open, quit, show } = this.#actions
    const state = translate(
      this.#progress ? message('shell.progress', { ...this.#progress }) : message('shell.idle'),
    )
    this.#tray.setToolTip(`Refile – ${state}`)
    const recent = this.#recent.map(batch => ({
      label: translate(
        message('shell.recent_batch', { total: batch.counts.total, target: batch.targetLabel }),
      ),
      click: () => show(batch),
    }))
    this.#tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: translate(message('shell.open')), click: open },
        { label: state, enabled: false },
        ...(recent.length > 0 ? [{ label: translate(message('shell.recent')), submenu: recent }] : []),
        separator,
        { label: translate(message('shell.quit')), click: quit },
      ]),
    )
  }
}
