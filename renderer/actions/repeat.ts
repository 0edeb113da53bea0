import { IconCopyPlus } from '@tabler/icons-react'
import { repeatRows } from '../convert/state/actions.ts'
import { text } from '../messages/text.ts'
import type { Action } from './action.ts'

/** Adds the same files once more, to become something else as well. */
export const repeat: Action = {
  name: ({ rows }) => text('convert.another', { files: rows.length }),
  Icon: IconCopyPlus,
  when: ({ rows }) => rows.every(({ fileId, file }) => fileId !== null && file !== null),
  do: ({ rows }) => repeatRows(rows),
}
