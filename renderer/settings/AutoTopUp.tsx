import { Switch } from '@mantine/core'
import { useEffect } from 'react'
import { useCredits } from '../credits/store.ts'
import { text } from '../messages/text.ts'
import { useAction } from '../ui/useAction.ts'

/** Whether the account tops itself up. */
export function AutoTopUp() {
  const { credits, load, setAutoTopUp } = useCredits()
  const { busy, act } = useAction()
  useEffect(() => void load(), [load])
  if (!credits) return null
  const { on, isFixed } = credits.autoTopUp
  return (
    <Switch
      label={text('settings.autoTopUp')}
      description={isFixed ? text('settings.autoTopUpFixed') : text('settings.autoTopUpHint')}
      checked={on}
      disabled={isFixed || busy}
      onChange={event => void act(() => setAutoTopUp(event.currentTarget.checked))}
    />
  )
}
