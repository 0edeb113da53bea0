import { text } from '../messages/text.ts'
import { goTo } from '../ui/route.ts'
import type { Action } from './action.ts'

export const openSettings: Action = {
  name: () => text('pages.settings'),
  shortcut: { keys: 'Mod+,', label: 'shortcuts.settings' },
  do: () => goTo('settings'),
}
