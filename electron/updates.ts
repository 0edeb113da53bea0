import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isInstalled } from './paths.ts'

/** How far an update is. */
export type UpdateState =
  /** This installation has no update feed: it was built without one, is portable, or may not use the internet. */
  | { kind: 'off' }
  /** The person wants none. */
  | { kind: 'declined' }
  | { kind: 'current' }
  | { kind: 'downloading'; version: string; percent: number }
  /** Installed when the app quits, or when the person restarts it. */
  | { kind: 'ready'; version: string }
  | { kind: 'failed' }

/** Time between two checks of the feed. */
const LOOK_EVERY_MS = 6 * 3600_000

/** The part of electron-updater that is used here. */
type Updater = Pick<
  typeof import('electron-updater').autoUpdater,
  'on' | 'checkForUpdates' | 'quitAndInstall' | 'autoDownload' | 'autoInstallOnAppQuit'
>

/**
 * Keeps the app up to date if the build has a feed: electron-builder writes it into `app-update.yml` if `publish` is set. Updates
 * are downloaded in the background and installed when the app quits; electron-updater checks their signatures.
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
   * Starts checking for updates, if there is a feed.
   * @param wanted whether the person wants them
   */
  async start(offline: boolean, wanted: boolean, load = () => import('electron-updater')): Promise<void> {
    if (offline || !isInstalled() || !existsSync(join(process.resourcesPath, 'app-update.yml'))) return
    // A CommonJS package whose exports are resolved on first use.
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

  /** Starts or stops checking for and installing updates; has no effect without a feed. */
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

  /** Restarts to install an update that is ready. */
  install(): void {
    if (this.#state.kind === 'ready') this.#updater?.quitAndInstall()
  }

  /** Once the person has switched updates off, a running download no longer changes the state. */
  #become(state: UpdateState): void {
    if (this.#state.kind !== 'declined') this.#state = state
  }
}
