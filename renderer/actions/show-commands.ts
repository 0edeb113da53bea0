import { IconCommand } from '@tabler/icons-react'
import { useOverlay } from '../commands/store.ts'
import { text } from '../messages/text.ts'
import type { Action } from './action.ts'

export const showCommands = {
  name: () => text('commands.title'),
  Icon: IconCommand,
  shortcut: { keys: 'Mod+K', label: 'shortcuts.palette' },
  do: () => useOverlay.getState().show('palette'),
} satisfies Action
