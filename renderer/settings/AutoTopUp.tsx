import { Switch } from '@mantine/core'
import { useCredits } from '../credits/store.ts'
import { text } from '../messages/text.ts'
import { Loaded } from '../ui/list/Loaded.tsx'
import { useAction } from '../ui/useAction.ts'

/** Whether the account tops itself up. */
export function AutoTopUp() {
  const store = useCredits()
  const { busy, act } = useAction()
  return (
    <Loaded from={store}>
      {({ autoTopUp: { on, isFixed } }) => (
        <Switch
          label={text('settings.autoTopUp')}
          description={isFixed ? text('settings.autoTopUpFixed') : text('settings.autoTopUpHint')}
          checked={on}
          disabled={isFixed || busy}
          onChange={event => void act(() => store.setAutoTopUp(event.currentTarget.checked))}
        />
      )}
    </Loaded>
  )
}
