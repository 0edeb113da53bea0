import { IconFolderOpen } from '@tabler/icons-react'
import { pickFolder } from '../convert/add/FileInputs.tsx'
import { text } from '../messages/text.ts'
import type { Action } from './action.ts'

export const addFolder = {
  name: () => text('convert.addFolder'),
  Icon: IconFolderOpen,
  shortcut: { keys: 'Mod+Shift+O', label: 'shortcuts.addFolder' },
  do: pickFolder,
} satisfies Action
