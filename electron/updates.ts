import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'

/** How far an update is. */
export type UpdateState =
  /** This installation has no feed to ask: it was built without one, or may not use the internet. */
  | { kind: 'off' }
  /** The person wants none. */
  | { kind: 'declined' }
  | { kind: 'current' }
  | { kind: 'downloading'; version: string; percent: number }
  /** Installed when the app quits, or when the person restarts it. */
  | { kind: 'ready'; version: string }
  | { kind: 'failed' }

/** Time between two looks at the feed. */
const LOOK_EVERY_MS = 6 * 3600_000

/** What electron-updater offers of what is used here. */
type Updater = Pick<
  typeof import('electron-updater').autoUpdater,
  'on' | 'checkForUpdates' | 'quitAndInstall' | 'autoDownload' | 'autoInstallOnAppQuit'
>

/**
 * Keeps the app up to date, where the build names a feed: electron-builder writes one into `app-update.yml` when `publish` is set.
 * Updates are downloaded in the background and installed when the app quits; their signatures are electron-updater's to check.
 */
export class Updates {
  #state: UpdateState = { kind: 'off' }
  #updater: Updater | undefined
  #looks: NodeJS.Timeout | undefined
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  get state(): UpdateState {
    return this.#state
  }

  /**
   * Begins to look for updates, where there is a feed.
   * @param wanted whether the person wants them
   */
  async start(offline: boolean, wanted: boolean, load = () => import('electron-updater')): Promise<void> {
    if (offline || !app.isPackaged || !existsSync(join(process.resourcesPath, 'app-update.yml'))) return
    // A CommonJS package, whose exports are looked up when they are first used.
    const loaded = await load()
    const { autoUpdater } = 'default' in loaded ? (loaded.default as typeof loaded) : loaded
    const updater: Updater = autoUpdater
    this.#updater = updater
    updater.on('update-available', ({ version }) =>
      this.#become({ kind: 'downloading', version, percent: 0 }),
    )
    updater.on('download-progress', ({ percent }) => {
      if (this.#state.kind === 'downloading') this.#become({ ...this.#state, percent: Math.round(percent) })
    })
    updater.on('update-downloaded', ({ version }) => this.#become({ kind: 'ready', version }))
    updater.on('error', error => {
      this.#become({ kind: 'failed' })
      this.#onError(error)
    })
    this.want(wanted)
  }

  /** Looks for updates from now on, or does so no more and installs none; means nothing without a feed. */
  want(wanted: boolean): void {
    const updater = this.#updater
    if (!updater) return
    clearInterval(this.#looks)
    updater.autoDownload = wanted
    updater.autoInstallOnAppQuit = wanted
    this.#state = { kind: wanted ? 'current' : 'declined' }
    if (!wanted) return
    const look = () => void updater.checkForUpdates().catch(() => {})
    look()
    this.#looks = setInterval(look, LOOK_EVERY_MS).unref()
  }

  /** Restarts into an update that is ready. */
  install(): void {
    if (this.#state.kind === 'ready') this.#updater?.quitAndInstall()
  }

  /** What is still on its way when the person wants no updates any more changes nothing. */
  #become(state: UpdateState): void {
    if (this.#state.kind !== 'declined') this.#state = state
  }
}
