import { notifications } from '@mantine/notifications'
import { text } from '../../messages/text.ts'
import { problemText } from './problem.ts'

/** Shows a notice for some seconds; `bad` marks bad news. */
export function notify(message: string, title?: string, bad = false): void {
  notifications.show({
    closeButtonProps: { 'aria-label': text('app.closeNotification') },
    message,
    title,
    color: bad ? 'brick' : 'pine',
    autoClose: bad ? 9000 : 5000,
  })
}

export const notifyProblem = (error: unknown): void => notify(problemText(error), undefined, true)
