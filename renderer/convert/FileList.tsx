import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { text } from '../messages/text.ts'
import { size } from '../ui/format.ts'
import classes from './FileList.module.css'

export interface ListedFile {
  key: string
  name: string
  bytes: number
  /** Something the person should know of this file. */
  remark: string | null
}

interface Props {
  label: string
  files: readonly ListedFile[]
  /** Accessible name of the button that takes a file out. */
  removeLabel: (name: string) => string
  onRemove: (key: string) => void
}

const few = 5
const step = 100

/** Files of one group, the first few and the rest on demand. */
export function FileList({ label, files, removeLabel, onRemove }: Props) {
  const [shown, setShown] = useState(few)
  const more = Math.min(step, files.length - shown)
  return (
    <div>
      <ul className={classes.list} aria-label={label}>
        {files.slice(0, shown).map(file => (
          <li key={file.key} className={classes.file} data-remark={file.remark ? true : undefined}>
            <div className={classes.words}>
              <span className={classes.name} title={file.name}>
                {file.name}
              </span>
              {file.remark && <span className={classes.remark}>{file.remark}</span>}
            </div>
            <span className={`${classes.size} numbers`}>{size(file.bytes)}</span>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="md"
              aria-label={removeLabel(file.name)}
              onClick={() => onRemove(file.key)}
            >
              <IconX size={16} stroke={1.8} aria-hidden="true" />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {(more > 0 || shown > few) && (
        <div className={classes.more}>
          {more > 0 && (
            <Button variant="subtle" size="compact-sm" onClick={() => setShown(shown + step)}>
              {text('convert.showAllFiles', { value: more })}
            </Button>
          )}
          {shown > few && files.length > few && (
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setShown(few)}>
              {text('convert.showFewer')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
