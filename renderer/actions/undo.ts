import { IconArrowBackUp } from '@tabler/icons-react'
import { useUndo } from '../convert/state/undo.ts'
import { text } from '../messages/text.ts'
import type { Action } from './action.ts'

export const undo: Action = {
  name: () => text('commands.undo'),
  Icon: IconArrowBackUp,
  shortcut: { keys: 'Mod+Z', label: 'commands.undo' },
  when: () => useUndo.getState().steps.length > 0,
  do: () => useUndo.getState().undo(),
}
