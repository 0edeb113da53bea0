import { useOverlay } from '../commands/store.ts'
import { text } from '../messages/text.ts'
import type { Action } from './action.ts'

export const showShortcuts: Action = {
  name: () => text('shortcuts.title'),
  shortcut: { keys: '?', label: 'shortcuts.help' },
  do: () => useOverlay.getState().show('help'),
}
