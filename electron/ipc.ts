import { isLanguage } from '../languages/tags.ts'
import type { StagedFile } from '../service/web/app/types.ts'
import type { LinkedPage } from './links.ts'
import type { UpdateState } from './updates.ts'

/** The typed channels between page and shell. The preload script contains this module, and so nothing of Node. */

/** A job's output and the name to save it under. */
export interface OutputRef {
  jobId: string
  fileName: string
}

/** A file the system asked the app to open, after the service has received it. */
export interface OpenedFile {
  name: string
  /** The staged file, as after a drop on the page; null if the file could not be received. */
  file: StagedFile | null
  /** Why it could not, for the person who opened it. */
  problem: string | null
}

/** The settings of the shell and their values. */
export interface ShellSettings {
  /** Closing the window leaves Refile running in the tray, even if nothing is left to do. */
  keepRunning: boolean
  /** Whether it starts with the session; null if that cannot be set. */
  startAtLogin: boolean | null
  /** Whether the file manager offers "Convert with Refile"; null if the installer decides that. */
  fileManager: boolean | null
  /** Whether Refile checks for updates; null if this installation has no update feed. */
  keepUpdated: boolean | null
  update: UpdateState
}

const changeable = ['keepRunning', 'startAtLogin', 'fileManager', 'keepUpdated'] as const

export type ShellSettingsChange = Partial<Record<(typeof changeable)[number], boolean>>

const themes = ['auto', 'light', 'dark'] as const

/** The themes that a person can choose for the page. */
export type Theme = (typeof themes)[number]

/** What the page asks of the shell, each a channel with one request at most. */
export interface Channels {
  /** Shows a file or folder in the system's file manager. */
  reveal(path: string): void
  /** Asks where to save a job's output and saves it there; returns its path, null if the person cancels. */
  saveOutput(output: OutputRef): string | null
  /** Asks for a folder and saves outputs into it, without overwriting anything; returns the folder, null on cancel. */
  saveOutputs(outputs: OutputRef[]): string | null
  /** Asks for a folder, starting at `current`; returns its path, null on cancel. */
  chooseFolder(current: string | null): string | null
  /** Opens the saved result of a job with the system's program for it. */
  openOutput(jobId: string): void
  settings(): ShellSettings
  changeSettings(change: ShellSettingsChange): ShellSettings
  /** Restarts to install an update that is ready. */
  installUpdate(): void
  /** Returns the files opened since the last call. */
  takeOpened(): OpenedFile[]
  /** Returns the page that a link opened, once. */
  takePage(): LinkedPage | null
  /** Tells the language of the page, a BCP 47 tag, so that the menu, the tray and notifications use it too. */
  setLanguage(language: string): void
  /** Tells the theme of the page, so that the system's menus, dialogs and buttons have it too. */
  setTheme(theme: Theme): void
  /** Returns the accent colour of the system at present, as `#rrggbb`; null if it has none. */
  accentColor(): string | null
  /**
   * Shows a menu of the system at the pointer, of texts and of lines between them (null); returns the index of the chosen
   * text, null if it was closed.
   */
  showMenu(labels: (string | null)[]): number | null
  /** Tells whether further files are going to be converted, so that the shell does not announce the end before. */
  expect(isExpecting: boolean): void
}

export type Channel = keyof Channels

export type Answer<C extends Channel> = ReturnType<Channels[C]>

/** The channels as the page calls them. */
export type Asked = { [C in Channel]: (...request: Parameters<Channels[C]>) => Promise<Answer<C>> }

/** Sent to the page when there is something for `takeOpened`. */
export const OPENED = 'opened'
/** Sent to the page when there is something for `takePage`. */
export const LINKED = 'linked'

/** An answer, or a sentence for people why there is none. */
export type Reply<C extends Channel> = { ok: true; answer: Answer<C> } | { ok: false; problem: string }

/** What the desktop shell offers the page as `window.refile`; it does not exist in a browser. */
export interface DesktopBridge extends Omit<Asked, 'takeOpened' | 'takePage'> {
  readonly platform: NodeJS.Platform
  /** Absolute path of a file that was dropped or picked; empty if it is not on disk. */
  pathForFile(file: File): string
  /** Calls back with files opened through the system, including earlier ones. Returns a function that unsubscribes. */
  onOpened(listener: (files: OpenedFile[]) => void): () => void
  /** Calls back with the pages that `refile://` links open, including an earlier one. Returns a function that unsubscribes. */
  onLinked(listener: (page: LinkedPage) => void): () => void
}

const isText = (value: unknown, limit: number): value is string =>
  typeof value === 'string' && value.length <= limit

const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)

const isOutputRef = (value: unknown): value is OutputRef =>
  typeof value === 'object' &&
  value !== null &&
  isId((value as OutputRef).jobId) &&
  isText((value as OutputRef).fileName, 1024)

const isNothing = (request: unknown): boolean => request === null

/** Whether a request has its channel's shape: the page's types are not trusted. */
export const shapes: { [C in Channel]: (request: unknown) => boolean } = {
  reveal: request => isText(request, 4096),
  saveOutput: isOutputRef,
  saveOutputs: request => Array.isArray(request) && request.length <= 1000 && request.every(isOutputRef),
  chooseFolder: request => request === null || isText(request, 4096),
  openOutput: isId,
  settings: isNothing,
  changeSettings: request =>
    typeof request === 'object' &&
    request !== null &&
    Object.entries(request).every(
      ([name, value]) => changeable.some(each => each === name) && typeof value === 'boolean',
    ),
  installUpdate: isNothing,
  takeOpened: isNothing,
  takePage: isNothing,
  setLanguage: isLanguage,
  showMenu: request =>
    Array.isArray(request) &&
    request.length > 0 &&
    request.length <= 30 &&
    request.every(label => label === null || isText(label, 200)),
  setTheme: request => themes.some(theme => theme === request),
  accentColor: isNothing,
  expect: request => typeof request === 'boolean',
}

/** All channels; what has none to ask sends null. */
export const channels = Object.keys(shapes) as Channel[]
