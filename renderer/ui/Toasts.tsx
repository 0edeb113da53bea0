import { Notifications } from '@mantine/notifications'
import classes from './Toasts.module.css'

/** Notices in a line of their own: what is above it gets shorter, and none ever lies over a button. */
export const Toasts = () => (
  <Notifications
    classNames={{ root: classes.line ?? '', notification: classes.notice ?? '' }}
    position="bottom-left"
    limit={2}
    withinPortal={false}
  />
)
