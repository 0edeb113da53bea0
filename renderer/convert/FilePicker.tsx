import { Button } from '@mantine/core'
import { IconFiles, IconFolderOpen } from '@tabler/icons-react'
import { type ChangeEvent, useRef } from 'react'
import { text } from '../messages/text.ts'
import { addFiles } from './add.ts'
import { filesOfList } from './collect.ts'
import classes from './FilePicker.module.css'

interface Props {
  /** Quieter, for a page that has files already. */
  compact?: boolean
}

/** Two buttons, since a browser's dialog opens either files or a folder. */
export function FilePicker({ compact = false }: Props) {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    const list = filesOfList(event.currentTarget.files ?? [])
    event.currentTarget.value = ''
    addFiles(list)
  }
  return (
    <>
      <Button
        size={compact ? 'xs' : 'md'}
        variant={compact ? 'default' : 'filled'}
        className={compact ? undefined : classes.files}
        leftSection={<IconFiles size={compact ? 16 : 18} stroke={1.8} aria-hidden="true" />}
        onClick={() => files.current?.click()}
      >
        {text(compact ? 'convert.addFiles' : 'convert.chooseFiles')}
      </Button>
      <Button
        size={compact ? 'xs' : 'md'}
        variant={compact ? 'default' : 'transparent'}
        className={compact ? undefined : classes.folder}
        leftSection={<IconFolderOpen size={compact ? 16 : 18} stroke={1.8} aria-hidden="true" />}
        onClick={() => folder.current?.click()}
      >
        {text(compact ? 'convert.addFolder' : 'convert.chooseFolder')}
      </Button>
      <input
        ref={files}
        className="hidden-text"
        type="file"
        multiple
        tabIndex={-1}
        aria-label={text('convert.fileInput')}
        onChange={take}
      />
      <input
        ref={folder}
        className="hidden-text"
        type="file"
        multiple
        tabIndex={-1}
        aria-label={text('convert.folderInput')}
        onChange={take}
        {...{ webkitdirectory: '' }}
      />
    </>
  )
}
