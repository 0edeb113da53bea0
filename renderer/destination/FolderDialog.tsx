import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconArrowUp, IconFolder } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import type { Folders } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { text } from '../messages/text.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { problemText } from '../ui/problem.ts'
import classes from './FolderDialog.module.css'

interface Props {
  opened: boolean
  /** Initial folder; by default the person's home folder. */
  start: string | null
  onClose: () => void
  onChoose: (folder: string) => void
}

/** Chooses a folder of this computer in a browser, which has no dialog for that. */
export function FolderDialog({ opened, start, onClose, onChoose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={text('destination.chooseFolder')}>
      <Browser
        start={start}
        onChoose={folder => {
          onChoose(folder)
          onClose()
        }}
      />
    </Dialog>
  )
}

function Browser({ start, onChoose }: { start: string | null; onChoose: (folder: string) => void }) {
  const [shown, setShown] = useState<Folders | null>(null)
  const [path, setPath] = useState(start ?? '')
  const [problem, setProblem] = useState<string | null>(null)

  const open = useCallback(async (folder: string | undefined) => {
    try {
      const found = await api.folders(folder)
      setShown(found)
      setPath(found.path)
      setProblem(null)
    } catch (error) {
      setProblem(problemText(error))
    }
  }, [])
  /** Takes the folder that was typed, if there is one. */
  const choose = async () => {
    try {
      onChoose(path === shown?.path ? path : (await api.folders(path)).path)
    } catch (error) {
      setProblem(problemText(error))
    }
  }
  useEffect(() => {
    // A folder that is gone cannot be the initial one.
    void api.folders(start ?? undefined).then(
      found => void open(found.path),
      () => void open(undefined),
    )
  }, [start, open])

  return (
    <form
      className={classes.browser}
      onSubmit={event => {
        event.preventDefault()
        void open(path)
      }}
    >
      <div className={classes.address}>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={text('destination.parent')}
          title={text('destination.parent')}
          disabled={!shown?.parent}
          onClick={() => void open(shown?.parent ?? undefined)}
        >
          <IconArrowUp size={18} stroke={1.8} aria-hidden="true" />
        </ActionIcon>
        <TextInput
          className={classes.path ?? ''}
          aria-label={text('destination.path')}
          value={path}
          error={problem}
          spellCheck={false}
          onChange={event => setPath(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {text('destination.open')}
        </Button>
      </div>
      <ul className={classes.folders}>
        {shown?.folders.map(folder => (
          <li key={folder.path}>
            <button type="button" className={classes.folder} onClick={() => void open(folder.path)}>
              <IconFolder size={18} stroke={1.7} aria-hidden="true" />
              <bdi>{folder.name}</bdi>
            </button>
          </li>
        ))}
        {shown?.folders.length === 0 && <li className={classes.none}>{text('destination.noFolders')}</li>}
      </ul>
      <Button disabled={path.trim() === ''} onClick={() => void choose()}>
        {text('destination.chooseThis')}
      </Button>
    </form>
  )
}
