/** What opens another part of the window. */
import { IconCommand } from '@tabler/icons-react'
import { useOverlay } from '../commands/store.ts'
import { text } from '../messages/text.ts'
import { goTo } from '../ui/route.ts'
import type { Action } from './action.ts'

export const showCommands: Action = {
  name: () => text('commands.title'),
  Icon: IconCommand,
  shortcut: { keys: 'Mod+K', label: 'shortcuts.palette' },
  do: () => useOverlay.getState().show('palette'),
}

export const showShortcuts: Action = {
  name: () => text('shortcuts.title'),
  shortcut: { keys: '?', label: 'shortcuts.help' },
  do: () => useOverlay.getState().show('help'),
}

export const openSettings: Action = {
  name: () => text('pages.settings'),
  shortcut: { keys: 'Mod+,', label: 'shortcuts.settings' },
  do: () => goTo('settings'),
}
