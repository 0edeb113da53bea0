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

/** Notifies once that a batch has ended; a click shows its results in their folder, otherwise the window. */
export async function tellFinished(batch: Batch, { client, isWatching, focus }: NoticeParts): Promise<void> {
  const { succeeded, failed, total } = batch.counts
  if (isWatching() || succeeded + failed === 0) return
  const path = await client.savedPath(batch.id).catch(() => null)
  show(
    translate(message('shell.finished_title', { total, target: batch.targetLabel })),
    translate(
      failed === 0
        ? message('shell.finished', { succeeded })
        : message('shell.finished_some_failed', { succeeded, failed }),
    ),
    path === null ? [] : [translate(message('shell.show_in_folder'))],
    path === null ? focus : () => shell.showItemInFolder(path),
  )
}

/** Notifies that a batch cannot continue without somebody. */
export function tellPaused({ problem }: Batch, { isWatching, focus }: NoticeParts): void {
  if (!isWatching()) show(translate(message('shell.paused_title')), problem?.detail ?? '', [], focus)
}

/** Notifies that closing the window left the app running. */
export function tellHidden(focus: () => void): void {
  show('Refile', translate(message('shell.in_background')), [], focus)
}
