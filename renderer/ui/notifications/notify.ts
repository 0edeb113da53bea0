import { notifications } from '@mantine/notifications'
import { text } from '../../messages/text.ts'
import { problemText } from './problem.ts'

const close = { closeButtonProps: { 'aria-label': text('app.closeNotification') } }

/** Shows a notice for some seconds; `bad` marks bad news. */
export function notify(message: string, title?: string, bad = false): void {
  notifications.show({
    ...close,
    message,
    title,
    color: bad ? 'brick' : 'pine',
    autoClose: bad ? 9000 : 5000,
  })
}

export function notifyProblem(error: unknown): void {
  notifications.show({ ...close, message: problemText(error), color: 'brick', autoClose: 9000 })
}
