import type { IpcMain, IpcMainInvokeEvent } from 'electron'
import type { StagedFile } from '../service/app/types.ts'
import { message } from '../service/messages/message.ts'
import type { LinkedPage } from './links.ts'
import type { UpdateState } from './updates.ts'
import { isLanguage, say } from './words.ts'

/** The typed channels between page and shell, and the one function that checks and answers every message. */

/** A job's output and the name to save it under. */
export interface OutputRef {
  jobId: string
  fileName: string
}

/** A file the system asked the app to open, after the service took it in. */
export interface OpenedFile {
  name: string
  /** What a drop on the page would have become; null when the file could not be taken in. */
  file: StagedFile | null
  /** Why it could not, for the person who opened it. */
  problem: string | null
}

/** What can be set of the shell, and how it stands. */
export interface ShellSettings {
  /** Closing the window leaves Refile running in the tray, also when nothing is left to do. */
  keepRunning: boolean
  /** Whether it starts with the session; null where that cannot be set. */
  startAtLogin: boolean | null
  /** Whether the file manager offers "Convert with Refile"; null where the installer decides that. */
  fileManager: boolean | null
  /** Whether Refile looks for updates; null where this installation has none to look for. */
  keepUpdated: boolean | null
  update: UpdateState
}

const changeable = ['keepRunning', 'startAtLogin', 'fileManager', 'keepUpdated'] as const

export type ShellSettingsChange = Partial<Record<(typeof changeable)[number], boolean>>

/** What the page asks and what the shell answers, by channel. */
export interface Channels {
  reveal: { request: string; answer: null }
  /** Answers the path saved to, null when the person changed their mind. */
  saveOutput: { request: OutputRef; answer: string | null }
  /** Answers the folder saved to, null when the person changed their mind. */
  saveOutputs: { request: OutputRef[]; answer: string | null }
  /** Answers the folder chosen, null when the person cancels. The request is where the dialog starts, if anywhere. */
  chooseFolder: { request: string | null; answer: string | null }
  /** Opens the saved result of a job with the program the system has for it. */
  openOutput: { request: string; answer: null }
  /** Begins to drag the saved results of jobs out of the window. */
  dragOut: { request: string[]; answer: null }
  settings: { request: null; answer: ShellSettings }
  changeSettings: { request: ShellSettingsChange; answer: ShellSettings }
  /** Restarts into an update that is ready. */
  installUpdate: { request: null; answer: null }
  /** Hands over the files opened since the last time. */
  takeOpened: { request: null; answer: OpenedFile[] }
  /** Hands over the page that a link opened, once. */
  takePage: { request: null; answer: LinkedPage | null }
  /** Tells the language of the page, a tag by BCP 47. */
  speak: { request: string; answer: null }
}

export type Channel = keyof Channels

/** Sent to the page when there is something for `takeOpened`. */
export const OPENED = 'opened'
/** Sent to the page when there is something for `takePage`. */
export const LINKED = 'linked'

/** An answer, or in a sentence for people why there is none. */
export type Reply<C extends Channel> =
  | { ok: true; answer: Channels[C]['answer'] }
  | { ok: false; problem: string }

/** What the desktop offers the page as `window.refile`; in a browser there is no such thing. */
export interface DesktopBridge {
  readonly platform: NodeJS.Platform
  /** Absolute path of a file that was dropped or picked; empty for one that is not on disk. */
  pathForFile(file: File): string
  /** Shows a file or folder in the system's file manager. */
  reveal(path: string): Promise<void>
  /** Asks where to save a job's output and saves it there; resolves to its path, null when the person cancels. */
  saveOutput(jobId: string, fileName: string): Promise<string | null>
  /** Asks for a folder and saves outputs into it, replacing nothing; resolves to the folder, null on cancel. */
  saveOutputs(outputs: OutputRef[]): Promise<string | null>
  /** Asks for a folder, starting at `current`; resolves to its path, null on cancel. */
  chooseFolder(current: string | null): Promise<string | null>
  /** Opens the saved result of a job with the program the system has for it. */
  openOutput(jobId: string): Promise<void>
  /** Begins to drag the saved results of jobs out of the window; to be called in `dragstart`, whose own drag is prevented. */
  dragOut(jobIds: string[]): Promise<void>
  settings(): Promise<ShellSettings>
  changeSettings(change: ShellSettingsChange): Promise<ShellSettings>
  /** Restarts into an update that is ready. */
  installUpdate(): Promise<void>
  /** Tells the shell the language of the page, so that the menu, the tray and notifications speak it too. */
  speak(language: string): Promise<void>
  /** Calls back with files opened through the system, those from before included. Returns how to stop. */
  onOpened(listener: (files: OpenedFile[]) => void): () => void
  /** Calls back with the pages that `refile://` links open, one from before included. Returns how to stop. */
  onLinked(listener: (page: LinkedPage) => void): () => void
}

export type Handlers = {
  [C in Channel]: (
    request: Channels[C]['request'],
    event: IpcMainInvokeEvent,
  ) => Promise<Channels[C]['answer']> | Channels[C]['answer']
}

/** A failure whose message is meant for the person at the window. */
export class ShellProblem extends Error {
  override readonly name = 'ShellProblem'
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

/** Whether a request has its channel's shape: the page is trusted less than its types. */
const shapes: { [C in Channel]: (request: unknown) => boolean } = {
  reveal: request => isText(request, 4096),
  saveOutput: isOutputRef,
  saveOutputs: request => Array.isArray(request) && request.length <= 1000 && request.every(isOutputRef),
  chooseFolder: request => request === null || isText(request, 4096),
  openOutput: isId,
  dragOut: request =>
    Array.isArray(request) && request.length > 0 && request.length <= 100 && request.every(isId),
  settings: request => request === null,
  changeSettings: request =>
    typeof request === 'object' &&
    request !== null &&
    Object.entries(request).every(
      ([name, value]) => changeable.some(each => each === name) && typeof value === 'boolean',
    ),
  installUpdate: request => request === null,
  takeOpened: request => request === null,
  takePage: request => request === null,
  speak: isLanguage,
}

/** Whether a URL belongs to `origin`; malformed ones do not. */
export const hasOrigin = (url: string, origin: string): boolean =>
  URL.canParse(url) && new URL(url).origin === origin

/**
 * Answers every channel of the table, for frames of `origin` and nobody else.
 * @param onUnexpectedError told of errors that are not for people; the page then gets a general sentence
 */
export function serveChannels(
  ipcMain: Pick<IpcMain, 'handle'>,
  origin: string,
  handlers: Handlers,
  onUnexpectedError: (error: unknown) => void,
): void {
  for (const channel of Object.keys(handlers) as Channel[]) {
    ipcMain.handle(channel, async (event, request: unknown): Promise<Reply<Channel>> => {
      if (!hasOrigin(event.senderFrame?.url ?? '', origin)) throw new Error('Refused: not a page of Refile.')
      if (!shapes[channel](request)) throw new Error(`Refused: not a request for ${channel}.`)
      try {
        return { ok: true, answer: await handlers[channel](request as never, event) }
      } catch (error) {
        if (error instanceof ShellProblem) return { ok: false, problem: error.message }
        onUnexpectedError(error)
        return { ok: false, problem: say(message('shell.unexpected')) }
      }
    })
  }
}
