/** Dialogs about problems that the page cannot show. */
import { app, type BrowserWindow, dialog } from 'electron'
import { type Message, message } from '../service/shared/messages/message.ts'
import { translate } from './words.ts'

/** How long a start may take before a dialog says that it continues. */
export const LATE_MS = 15_000

let isAsking = false

/** Shows what is wrong with the page, in one dialog at a time, and calls `retry` unless the person quits. */
export async function askToTryAgain(problem: Message, retry: () => void): Promise<void> {
  if (isAsking) return
  isAsking = true
  const mayRetry = await ask(problem)
  isAsking = false
  if (mayRetry) retry()
  else app.quit()
}

/** What a dialog shows; the first button is chosen by Enter, and by closing it. */
const question = (type: 'error' | 'info' | 'question', problem: Message, ...buttons: Message[]) => ({
  type,
  title: 'Refile',
  message: translate(problem),
  buttons: buttons.map(translate),
  defaultId: 0,
  cancelId: 0,
})

async function ask(problem: Message): Promise<boolean> {
  const buttons = [message('shell.try_again'), message('shell.quit')]
  const { response } = await dialog.showMessageBox({ ...question('error', problem, ...buttons), cancelId: 1 })
  return response === 0
}

async function offerToQuit(signal: AbortSignal): Promise<void> {
  const still = question(
    'info',
    message('shell.still_starting'),
    message('shell.wait'),
    message('shell.quit'),
  )
  const { response } = await dialog.showMessageBox({ ...still, signal })
  if (response === 1) app.quit()
}

/** Asks whether to close a window in which files are being added. Chromium waits for the answer, so it blocks. */
export function mayClose(window: BrowserWindow): boolean {
  const buttons = [message('shell.keep_open'), message('shell.close_anyway')]
  const asked = question('question', message('shell.still_adding'), ...buttons)
  return dialog.showMessageBoxSync(window, asked) === 1
}

/** Says that the app is still starting if `start` takes long, until it ends; the person may quit instead. */
export async function withStartNotice<T>(start: Promise<T>, lateMs = LATE_MS): Promise<T> {
  const ended = new AbortController()
  const timer = setTimeout(() => void offerToQuit(ended.signal), lateMs)
  try {
    return await start
  } finally {
    clearTimeout(timer)
    ended.abort()
  }
}
