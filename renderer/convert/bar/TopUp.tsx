import { type ComponentProps, lazy } from 'react'
import { OnceOpened } from '../../ui/dialog/OnceOpened.tsx'

const TopUpDialog = lazy(async () => ({
  default: (await import('../../credits/TopUpDialog.tsx')).TopUpDialog,
}))

/** The dialog in which credits are added, loaded once it is opened. */
export function TopUp(props: ComponentProps<typeof TopUpDialog>) {
  return (
    <OnceOpened opened={props.opened}>
      <TopUpDialog {...props} />
    </OnceOpened>
  )
}
