import { IconFiles } from '@tabler/icons-react'
import { pickFiles } from '../convert/add/FileInputs.tsx'
import { text } from '../messages/text.ts'
import type { Action } from './action.ts'

export const addFiles = {
  name: () => text('convert.addFiles'),
  Icon: IconFiles,
  shortcut: { keys: 'Mod+O', label: 'shortcuts.addFiles' },
  do: pickFiles,
} satisfies Action
