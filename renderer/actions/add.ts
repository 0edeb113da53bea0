/** Adding files. */
import { IconFiles, IconFolderOpen } from '@tabler/icons-react'
import { pickFiles, pickFolder } from '../convert/add/FileInputs.tsx'
import { text } from '../messages/text.ts'
import type { Action } from './action.ts'

export const addFiles: Action = {
  name: () => text('convert.addFiles'),
  Icon: IconFiles,
  shortcut: { keys: 'Mod+O', label: 'shortcuts.addFiles' },
  do: pickFiles,
}

export const addFolder: Action = {
  name: () => text('convert.addFolder'),
  Icon: IconFolderOpen,
  shortcut: { keys: 'Mod+Shift+O', label: 'shortcuts.addFolder' },
  do: pickFolder,
}
