import { IconX } from '@tabler/icons-react'
import { removeRows } from '../convert/state/actions.ts'
import { isUnderWay } from '../convert/state/rows/row.ts'
import { text } from '../messages/text.ts'
import { type Action, keysOf, type Subject } from './action.ts'

/** Takes files off the list, or cancels their conversion. */
export const remove = {
  name: ({ rows }: Subject) => text(rows.every(isUnderWay) ? 'convert.cancelAll' : 'convert.remove'),
  Icon: IconX,
  shortcut: { keys: 'Delete', label: 'shortcuts.remove' },
  do: (on: Subject) => removeRows(keysOf(on), on.lines),
} satisfies Action

export const removeAll: Action = {
  name: () => text('convert.removeAll'),
  when: ({ rows }) => rows.length > 0,
  do: remove.do,
}
