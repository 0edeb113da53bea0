import { Button } from '@mantine/core'
import { IconFiles, IconFolderOpen } from '@tabler/icons-react'
import { addFiles } from '../../actions/add-files.ts'
import { addFolder } from '../../actions/add-folder.ts'
import { text } from '../../messages/text.ts'
import { shortcutProps } from '../../ui/shortcuts.ts'
import { pickFiles, pickFolder } from './FileInputs.tsx'
import classes from './FilePicker.module.css'

interface Props {
  /** Less prominent, for a page that already has files. */
  compact?: boolean
}

/** Two buttons, since a browser's dialog opens either files or a folder. */
export function FilePicker({ compact = false }: Props) {
  return (
    <>
      <Button
        size={compact ? 'xs' : 'md'}
        variant={compact ? 'default' : 'filled'}
        className={compact ? undefined : classes.files}
        leftSection={<IconFiles size={compact ? 16 : 18} stroke={1.8} aria-hidden="true" />}
        {...shortcutProps(addFiles)}
        onClick={pickFiles}
      >
        {text(compact ? 'convert.addFiles' : 'convert.chooseFiles')}
      </Button>
      <Button
        size={compact ? 'xs' : 'md'}
        variant={compact ? 'default' : 'transparent'}
        className={compact ? classes.brief : classes.folder}
        aria-label={compact ? text('convert.addFolder') : undefined}
        leftSection={<IconFolderOpen size={compact ? 16 : 18} stroke={1.8} aria-hidden="true" />}
        {...shortcutProps(addFolder)}
        onClick={pickFolder}
      >
        {text(compact ? 'convert.addFolder' : 'convert.chooseFolder')}
      </Button>
    </>
  )
}
