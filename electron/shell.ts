import { app, type IpcMain, shell } from 'electron'
import { loadConfig } from '../service/shared/config.ts'
import { Activity } from './activity.ts'
import type { ServiceClient } from './client.ts'
import type { Request } from './command-line.ts'
import { ConvertWith } from './convert-with.ts'
import { hasMenus, setMenus } from './file-manager/install.ts'
import { createHandlers } from './handlers.ts'
import { LINKED, OPENED, type ShellSettings, type ShellSettingsChange } from './ipc.ts'
import type { LinkedPage } from './links.ts'
import { setStartsAtLogin, startsAtLogin } from './login.ts'
import { notifyFinished, notifyHidden, notifyPaused } from './notices.ts'
import { OpenedFiles } from './opened.ts'
import { appIcon, icons } from './paths.ts'
import type { Preferences } from './preferences.ts'
import { serveChannels } from './serve-channels.ts'
import { TrayIcon } from './tray.ts'
import { Updates } from './updates.ts'
import { MainWindow } from './window.ts'
import { setLanguage, shellLanguage } from './words.ts'

/** How long the app stays after its last work if its window is closed. */
const LINGER_MS = 60_000

export interface ShellParts {
  preferences: Preferences
  savePreferences: () => void
  preload: string
  onError: (error: unknown) => void
  /** Stops the service, before an update replaces the app. */
  stop: () => Promise<void>
  /** Called when the language has changed. */
  onLanguage?: () => void
}

/** The whole desktop integration around the service: the window, the tray, requests of the system and notifications. */
export class Shell {
  readonly #parts: ShellParts
  readonly #opened = new OpenedFiles()
  readonly #updates: Updates
  #started: { window: MainWindow; tray: TrayIcon; convertWith: ConvertWith } | undefined
  /** Requests made before the service was available. */
  #asked: Request[] = []
  #page: LinkedPage | null = null
  #quitting = false
  #toldHidden = false
  /** Started with the session: it stays even if nothing is left to do. */
  #stays = false
  #end: ReturnType<typeof setTimeout> | undefined

  constructor(parts: ShellParts) {
    this.#parts = parts
    this.#updates = new Updates(parts.onError, () => {
      // macOS closes the windows first, which then must not be kept.
      this.quit()
      return parts.stop()
    })
  }

  /** Starts once the service runs and the app is ready. */
  start(client: ServiceClient, ipcMain: Pick<IpcMain, 'handle'>, origin: string, signal: AbortSignal): void {
    const { preferences, savePreferences, preload, onError } = this.#parts
    const tray = new TrayIcon(icons, onError, {
      open: () => this.focus(),
      quit: () => app.quit(),
      show: ({ id }) =>
        void client.savedPath(id).then(
          path => (path === null ? this.focus() : shell.showItemInFolder(path)),
          () => this.focus(),
        ),
      add: files => this.ask({ files, target: null, page: null, hidden: false }),
    })
    const notifications = { client, isWatching: () => window.isFocused(), focus: () => this.focus() }
    const activity = new Activity({
      onChange: () => {
        const progress = activity.progress()
        window.setProgress(progress && progress.done / progress.total)
        app.setBadgeCount(progress ? progress.total - progress.done : 0)
        tray.update(progress, activity.recent())
        this.#endWhenIdle(progress === null)
      },
      onFinished: batches => void notifyFinished(batches, notifications).catch(onError),
      onPaused: batch => notifyPaused(batch, notifications),
    })
    const window = new MainWindow({
      preload,
      icon: appIcon,
      preferences,
      openUrl: () => client.openUrl(),
      onError,
      onClose: () => {
        savePreferences()
        return !this.#quitting && (preferences.keepRunning || activity.progress() !== null)
      },
      onKeep: () => {
        this.#quitting = false
      },
      onHide: () => {
        tray.show(true)
        if (process.platform === 'linux') this.#notifyHidden()
      },
      onShow: () => tray.show(preferences.keepRunning),
    })
    const convertWith = new ConvertWith({
      client,
      onRefused: (path, file, problem) => {
        this.#opened.hand(path, file, problem)
        this.focus()
      },
    })
    this.#started = { window, tray, convertWith }
    serveChannels(
      ipcMain,
      origin,
      createHandlers({
        client,
        opened: this.#opened,
        settings: () => this.settings(),
        changeSettings: change => this.change(change),
        installUpdate: () => void this.#updates.install().catch(onError),
        takePage: () => {
          const page = this.#page
          this.#page = null
          return page
        },
        setLanguage: language => this.setLanguage(language),
        expect: isExpecting => activity.expect(isExpecting),
      }),
      onError,
    )
    tray.show(preferences.keepRunning)
    void activity.follow(client, signal)
    void this.#updates.start(loadConfig().offline, preferences.keepUpdated).catch(onError)
    this.#opened.connect(client, () => window.send(OPENED))
    for (const request of this.#asked.splice(0)) this.ask(request)
  }

  /** Handles a request of a command line, a link or the file manager, as soon as the service is available. */
  ask(request: Request): void {
    if (!this.#started) {
      this.#asked.push(request)
      return
    }
    const { files, target, page, hidden } = request
    const { window, convertWith, tray } = this.#started
    if (files.length > 0 && target !== null) {
      convertWith.add(target, files)
      if (!window.isVisible()) tray.show(true)
      return
    }
    if (hidden) {
      this.#stays = true
      tray.show(true)
      return
    }
    this.focus()
    this.#opened.add(files)
    if (page === null) return
    this.#page = page
    window.send(LINKED)
  }

  /** Opens the window, or brings it to the front. */
  focus(): void {
    this.#started?.window.show()
  }

  /** Many Linux desktops show no tray, and none reports it, so one notification explains how to get the window back. */
  #notifyHidden(): void {
    if (this.#toldHidden) return
    this.#toldHidden = true
    notifyHidden(() => this.focus())
  }

  /** Without a window and without work the app exits, after leaving time to click a notification. */
  #endWhenIdle(isIdle: boolean): void {
    clearTimeout(this.#end)
    if (!isIdle || this.#stays || this.#parts.preferences.keepRunning || process.platform === 'darwin') return
    this.#end = setTimeout(() => {
      if (!this.#started?.window.isVisible()) app.quit()
    }, LINGER_MS)
  }

  /** From now on closing the window really closes it. */
  quit(): void {
    this.#quitting = true
  }

  /** Uses the language of the page from now on, also at the next start. */
  async setLanguage(language: string): Promise<void> {
    if (language === shellLanguage() && language === this.#parts.preferences.language) return
    await setLanguage(language)
    this.#parts.preferences.language = language
    this.#parts.savePreferences()
    this.#started?.tray.draw()
    this.#parts.onLanguage?.()
  }

  settings(): ShellSettings {
    return {
      keepRunning: this.#parts.preferences.keepRunning,
      startAtLogin: startsAtLogin(),
      fileManager: hasMenus(),
      keepUpdated: this.#updates.state.kind === 'off' ? null : this.#parts.preferences.keepUpdated,
      update: this.#updates.state,
    }
  }

  /** @returns all settings after the change */
  change({ keepRunning, startAtLogin, fileManager, keepUpdated }: ShellSettingsChange): ShellSettings {
    const { preferences, savePreferences } = this.#parts
    if (keepRunning !== undefined) {
      preferences.keepRunning = keepRunning
      savePreferences()
      this.#started?.tray.show(keepRunning)
    }
    if (keepUpdated !== undefined) {
      preferences.keepUpdated = keepUpdated
      savePreferences()
      this.#updates.want(keepUpdated)
    }
    if (startAtLogin !== undefined) setStartsAtLogin(startAtLogin)
    if (fileManager !== undefined) setMenus(fileManager)
    return this.settings()
  }
}
