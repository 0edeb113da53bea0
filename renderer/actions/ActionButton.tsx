import { Button, type ButtonProps } from '@mantine/core'
import { shortcutProps } from '../ui/shortcuts.ts'
import { useAction } from '../ui/useAction.ts'
import { type Action, possible, type Subject } from './action.ts'

interface Props extends ButtonProps {
  action: Action
  on: Subject
  title?: string
}

/** A button that does something with files, if it can be done now; its own words replace the usual name. */
export function ActionButton({ action, on, children = action.name(on), ...others }: Props) {
  const { busy, act } = useAction()
  const { Icon } = action
  if (possible([action], on).length === 0) return null
  return (
    <Button
      size="sm"
      variant="default"
      disabled={busy}
      leftSection={Icon && <Icon size={16} stroke={1.8} aria-hidden="true" />}
      {...shortcutProps(action)}
      onClick={() => void act(async () => action.do(on))}
      {...others}
    >
      {children}
    </Button>
  )
}
