import { IconLayoutColumns } from '@tabler/icons-react'
import { useView } from '../convert/state/rows/view.ts'
import { text } from '../messages/text.ts'
import type { Action } from './action.ts'

/** Shows a file in the whole window, beside its result. */
export const look: Action = {
  name: () => text('convert.look'),
  nameFor: name => text('convert.compare', { name }),
  Icon: IconLayoutColumns,
  shortcut: { keys: 'Space', label: 'shortcuts.look' },
  when: ({ rows: [row, ...others] }) => row?.fileId != null && others.length === 0,
  do: ({ rows: [row] }) => row && useView.getState().look(row.key),
}
