import { IconPencil } from '@tabler/icons-react'
import { useView } from '../convert/state/rows/view.ts'
import { text } from '../messages/text.ts'
import type { Action } from './action.ts'

/** Gives the only result another name, in its row. */
export const rename: Action = {
  name: () => text('shortcuts.rename'),
  nameFor: name => text('convert.renameNamed', { name }),
  Icon: IconPencil,
  shortcut: { keys: 'F2', label: 'shortcuts.rename' },
  when: ({ rows, ending: { kept, saved } }) => rows.length === 1 && kept.length + saved.length === 1,
  do: ({ rows: [row] }) => row && useView.getState().rename(row.key),
}
