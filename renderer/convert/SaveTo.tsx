import { Button, SegmentedControl } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useId } from 'react'
import { desktop } from '../api/desktop.ts'
import { text } from '../messages/text.ts'
import { tellProblem } from '../ui/notify.ts'
import { useMemory } from './memory.ts'
import classes from './SaveTo.module.css'

/** Whether results are kept for download or saved to a folder. Only the desktop shell offers the choice. */
export function SaveTo() {
  const id = useId()
  const { saveTo, folder, keep, saveToFolder } = useMemory()
  const { chooseFolder } = desktop()
  if (!chooseFolder) return null

  const choose = async () => {
    try {
      const chosen = await chooseFolder(folder)
      if (chosen) saveToFolder(chosen)
    } catch (error) {
      tellProblem(error)
    }
  }
  const change = (value: string) => {
    if (value === 'keep') keep()
    else if (folder) saveToFolder(folder)
    else void choose()
  }

  return (
    <div className={classes.saveTo}>
      <span id={id} className={classes.label}>
        {text('convert.saveTo')}
      </span>
      <SegmentedControl
        fullWidth
        size="sm"
        aria-labelledby={id}
        data={[
          { value: 'keep', label: text('convert.saveToKeep') },
          { value: 'folder', label: text('convert.saveToFolder') },
        ]}
        value={saveTo}
        onChange={change}
      />
      {saveTo === 'folder' && folder && (
        <p className={classes.folder}>
          <IconFolder size={16} stroke={1.8} aria-hidden="true" />
          <span className={classes.path} title={folder}>
            <bdi>{folder}</bdi>
          </span>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => void choose()}>
            {text('convert.changeFolder')}
          </Button>
        </p>
      )}
    </div>
  )
}
