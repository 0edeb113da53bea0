import { notifications } from '@mantine/notifications'
import { messages } from '../messages.ts'
import { problemText } from './problem.ts'

const close = { closeButtonProps: { 'aria-label': messages.app.closeNotification } }

export function tell(message: string, title?: string): void {
  notifications.show({ ...close, message, title, color: 'pine', autoClose: 5000 })
}

export function tellProblem(error: unknown): void {
  notifications.show({ ...close, message: problemText(error), color: 'brick', autoClose: 9000 })
}
