/** What can be done with the files of the list. */
import { IconArrowBackUp, IconCopyPlus, IconFiles, IconLayoutColumns, IconX } from '@tabler/icons-react'
import { clearFinished as clear, removeRows, repeatRows } from '../convert/state/actions.ts'
import { useJoin } from '../convert/state/join/join.ts'
import { joinText } from '../convert/state/join/join-text.ts'
import { joinableOf } from '../convert/state/join/joinable.ts'
import { isUnderWay } from '../convert/state/rows/row.ts'
import { useView } from '../convert/state/rows/view.ts'
import { useTable } from '../convert/state/store.ts'
import { useUndo } from '../convert/state/undo.ts'
import { text } from '../messages/text.ts'
import { type Action, keysOf, type Subject } from './action.ts'

/** Takes files off the list, or cancels their conversion. */
export const remove: Action = {
  name: ({ rows }) => text(rows.every(isUnderWay) ? 'convert.cancelAll' : 'convert.remove'),
  Icon: IconX,
  shortcut: { keys: 'Delete', label: 'shortcuts.remove' },
  do: on => removeRows(keysOf(on), on.lines),
}

export const removeAll: Action = {
  name: () => text('convert.removeAll'),
  when: ({ rows }) => rows.length > 0,
  do: remove.do,
}

export const clearFinished: Action = {
  name: ({ isOver }) => text(isOver ? 'convert.convertMore' : 'convert.clearFinished'),
  when: ({ ending }) => ending.any,
  do: ({ lines }) => clear(lines),
}

export const undo: Action = {
  name: () => text('commands.undo'),
  Icon: IconArrowBackUp,
  shortcut: { keys: 'Mod+Z', label: 'commands.undo' },
  when: () => useUndo.getState().steps.length > 0,
  do: () => useUndo.getState().undo(),
}

/** Adds the same files once more, to become something else as well. */
export const repeat: Action = {
  name: ({ rows }) => text('convert.another', { files: rows.length }),
  Icon: IconCopyPlus,
  when: ({ rows }) => rows.every(({ fileId, file }) => fileId !== null && file !== null),
  do: ({ rows }) => repeatRows(rows),
}

const joinable = (on: Subject) => joinableOf(on.lines, useTable.getState().rows, new Set(keysOf(on)))

/** Makes one file of several, once their order was asked for. */
export const join: Action = {
  name: on => joinText(joinable(on).into),
  Icon: IconFiles,
  when: on => joinable(on).keys.length > 1,
  do: on => useJoin.getState().ask(joinable(on)),
}

/** Shows a file in the whole window, beside its result. */
export const look: Action = {
  name: () => text('convert.look'),
  nameFor: name => text('convert.compare', { name }),
  Icon: IconLayoutColumns,
  shortcut: { keys: 'Space', label: 'shortcuts.look' },
  when: ({ rows: [row, ...others] }) => row?.fileId != null && others.length === 0,
  do: ({ rows: [row] }) => row && useView.getState().look(row.key),
}
