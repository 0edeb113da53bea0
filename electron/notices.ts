import { Notification, shell } from 'electron'
import { message } from '../service/shared/messages/message.ts'
import type { Batch } from '../service/web/app/types.ts'
import type { ServiceClient } from './client.ts'
import { translate } from './words.ts'

/** What notifications need from the rest of the shell. */
export interface NoticeParts {
  client: Pick<ServiceClient, 'savedPath'>
  /** Whether the person is looking at the window, and needs no notification. */
  isWatching: () => boolean
  /** Brings the window to the front. */
  focus: () => void
}

/** Shown notifications: a garbage-collected one can no longer be clicked. */
const shown = new Set<Notification>()

function show(title: string, body: string, actions: string[], onClick: () => void): void {
  if (!Notification.isSupported()) return
  const notification = new Notification({
    title,
    body,
    // Only macOS shows buttons; elsewhere a click on the notification does the same.
    actions: actions.map(text => ({ type: 'button', text })),
  })
  shown.add(notification)
  notification.on('click', onClick)
  notification.on('action', onClick)
  notification.on('close', () => shown.delete(notification))
  notification.show()
}

/** Notifies once of all batches that have ended; a click shows their results in their folder, otherwise the window. */
export async function notifyFinished(
  batches: readonly Batch[],
  { client, isWatching, focus }: NoticeParts,
): Promise<void> {
  const sum = (of: keyof Batch['counts']) => batches.reduce((all, { counts }) => all + counts[of], 0)
  const [succeeded, failed, total] = [sum('succeeded'), sum('failed'), sum('total')]
  if (isWatching() || succeeded + failed === 0) return
  const path = await savedPathOf(batches, client)
  const [target = '', ...others] = new Set(batches.map(({ targetLabel }) => targetLabel))
  show(
    others.length > 0 ? 'Refile' : translate(message('shell.finished_title', { total, target })),
    translate(
      failed === 0
        ? message('shell.finished', { succeeded })
        : message('shell.finished_some_failed', { succeeded, failed }),
    ),
    path === null ? [] : [translate(message('shell.show_in_folder'))],
    path === null ? focus : () => shell.showItemInFolder(path),
  )
}

/** The path of a saved result of any of the batches; null if there is none. */
async function savedPathOf(batches: readonly Batch[], client: NoticeParts['client']): Promise<string | null> {
  for (const { id } of batches) {
    const path = await client.savedPath(id).catch(() => null)
    if (path !== null) return path
  }
  return null
}

/** Notifies that a batch cannot continue without somebody. */
export function notifyPaused({ problem }: Batch, { isWatching, focus }: NoticeParts): void {
  if (!isWatching()) show(translate(message('shell.paused_title')), problem?.detail ?? '', [], focus)
}

/** Notifies that closing the window left the app running. */
export function notifyHidden(focus: () => void): void {
  show('Refile', translate(message('shell.in_background')), [], focus)
}
