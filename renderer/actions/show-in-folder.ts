import { IconFolderSearch } from '@tabler/icons-react'
import { desktop } from '../api/desktop.ts'
import { text } from '../messages/text.ts'
import type { Action } from './action.ts'

export const showInFolder: Action = {
  name: () => text('convert.showFolder'),
  nameFor: name => text('jobs.showInFolder', { name }),
  Icon: IconFolderSearch,
  when: ({ ending: { saved } }) => saved.length > 0 && desktop().reveal !== undefined,
  do: async ({ ending: { saved } }) => saved[0] && desktop().reveal?.(saved[0].path),
}
