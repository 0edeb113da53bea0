import { Notifications } from '@mantine/notifications'
import classes from './Toasts.module.css'

/** Notices in their own row: the content above becomes shorter, so that no notice covers a button. */
export const Toasts = () => (
  <Notifications
    classNames={{ root: classes.line ?? '', notification: classes.notice ?? '' }}
    position="bottom-left"
    limit={2}
    withinPortal={false}
  />
)
