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
/** Time to the next check after one that failed, as it does while there is no network. */
const LOOK_AGAIN_MS = 15 * 60_000

/** The part of electron-updater that is used here. */
type Updater = Pick<
  typeof import('electron-updater').autoUpdater,
  'on' | 'checkForUpdates' | 'quitAndInstall' | 'autoDownload' | 'autoInstallOnAppQuit'
>

/**
 * Keeps the app up to date if the build has a feed: electron-builder writes it into `app-update.yml` if `publish` is set. Updates
 * are downloaded in the background and installed when the app quits. electron-updater compares every download with the feed's
 * SHA-512; docs/desktop.md says on which systems a signature is checked besides.
 */
export class Updates {
  #state: UpdateState = { kind: 'off' }
  #updater: Updater | undefined
  #next: NodeJS.Timeout | undefined
  readonly #onError: (error: unknown) => void
  readonly #beforeInstall: () => Promise<void>

  /** @param beforeInstall stops what must not run while the app is replaced */
  constructor(onError: (error: unknown) => void, beforeInstall: () => Promise<void> = async () => {}) {
    this.#onError = onError
    this.#beforeInstall = beforeInstall
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
    updater.on('update-not-available', () => this.#become({ kind: 'current' }))
    updater.on('update-downloaded', ({ version }) => this.#become({ kind: 'ready', version }))
    updater.on('error', error => {
      // What has been downloaded can be installed whatever happened to a later check.
      if (this.#state.kind !== 'ready') this.#become({ kind: 'failed' })
      this.#onError(error)
    })
    this.want(wanted)
  }

  /** Starts or stops checking for and installing updates; has no effect without a feed. */
  want(wanted: boolean): void {
    const updater = this.#updater
    if (!updater) return
    clearTimeout(this.#next)
    updater.autoDownload = wanted
    updater.autoInstallOnAppQuit = wanted
    this.#state = { kind: wanted ? 'current' : 'declined' }
    if (wanted) void this.#look(updater)
  }

  async #look(updater: Updater): Promise<void> {
    // A failure has also been emitted as an event.
    const failed = await updater.checkForUpdates().then(
      () => false,
      () => true,
    )
    if (this.#state.kind === 'declined') return
    clearTimeout(this.#next)
    this.#next = setTimeout(() => void this.#look(updater), failed ? LOOK_AGAIN_MS : LOOK_EVERY_MS).unref()
  }

  /** Restarts to install an update that is ready. */
  async install(): Promise<void> {
    if (this.#state.kind !== 'ready') return
    await this.#beforeInstall()
    this.#updater?.quitAndInstall()
  }

  /** Once the person has switched updates off, a running download no longer changes the state. */
  #become(state: UpdateState): void {
    if (this.#state.kind !== 'declined') this.#state = state
  }
}
