import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core'
import { IconArrowUp, IconFolder, IconFolderPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { Folders } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { text } from '../messages/text.ts'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { problemText } from '../ui/notifications/problem.ts'
import classes from './FolderDialog.module.css'

interface Props {
  opened: boolean
  /** Initial folder; by default the person's home folder. */
  start: string | null
  /** The button that takes the folder. */
  confirm: string
  onClose: () => void
  onChoose: (folder: string) => void
}

/** Chooses a folder of this computer in a browser, which has no dialog for that. */
export function FolderDialog({ opened, start, confirm, onClose, onChoose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={text('convert.chooseFolder')}>
      <Browser
        start={start}
        confirm={confirm}
        onChoose={folder => {
          onChoose(folder)
          onClose()
        }}
      />
    </Dialog>
  )
}

function Browser({ start, confirm, onChoose }: Pick<Props, 'start' | 'confirm' | 'onChoose'>) {
  const [shown, setShown] = useState<Folders | null>(null)
  const [path, setPath] = useState(start ?? '')
  const [problem, setProblem] = useState<string | null>(null)

  const show = (found: Folders) => {
    setShown(found)
    setPath(found.path)
    setProblem(null)
  }
  const explain = (error: unknown) => setProblem(problemText(error))
  const open = (folder: string | undefined) => void api.folders(folder).then(show, explain)
  /** Takes the folder that was typed, if there is one. */
  const choose = () => {
    if (path === shown?.path) onChoose(path)
    else api.folders(path).then(found => onChoose(found.path), explain)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another beginning is a reason to begin anew
  useEffect(() => {
    // A folder that is gone cannot be the initial one.
    api.folders(start ?? undefined).then(show, () => open(undefined))
  }, [start])

  return (
    <Stack gap={12} pt={4}>
      <Group
        component="form"
        gap={8}
        align="start"
        wrap="nowrap"
        onSubmit={event => {
          event.preventDefault()
          open(path)
        }}
      >
        <ActionIcon
          variant="default"
          size={36}
          aria-label={text('destination.parent')}
          title={text('destination.parent')}
          disabled={!shown?.parent}
          onClick={() => open(shown?.parent ?? undefined)}
        >
          <IconArrowUp size={18} stroke={1.8} aria-hidden="true" />
        </ActionIcon>
        <TextInput
          flex={1}
          aria-label={text('destination.path')}
          value={path}
          error={problem}
          spellCheck={false}
          onChange={event => setPath(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {text('common.open')}
        </Button>
      </Group>
      <ul className={classes.folders}>
        {shown?.folders.map(folder => (
          <li key={folder.path}>
            <button type="button" className={`${classes.folder} hoverable`} onClick={() => open(folder.path)}>
              <IconFolder size={18} stroke={1.7} aria-hidden="true" />
              <bdi>{folder.name}</bdi>
            </button>
          </li>
        ))}
        {shown?.folders.length === 0 && <li className="aside">{text('destination.noFolders')}</li>}
      </ul>
      <Group gap={8} align="start" justify="space-between">
        {shown && <NewFolder parent={shown.path} onCreated={show} />}
        <Button disabled={path.trim() === ''} onClick={choose}>
          {confirm}
        </Button>
      </Group>
    </Stack>
  )
}

/** A button that becomes a field for the name of a folder, which is then created and opened. */
function NewFolder({ parent, onCreated }: { parent: string; onCreated: (folder: Folders) => void }) {
  const [name, setName] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  if (name === null) {
    return (
      <Button
        variant="default"
        leftSection={<IconFolderPlus size={18} stroke={1.7} aria-hidden="true" />}
        onClick={() => setName('')}
      >
        {text('destination.newFolder')}
      </Button>
    )
  }
  const create = async () => {
    try {
      onCreated(await api.createFolder(parent, name.trim()))
      setName(null)
      setProblem(null)
    } catch (error) {
      setProblem(problemText(error))
    }
  }
  return (
    <Group
      component="form"
      gap={8}
      align="start"
      wrap="nowrap"
      flex={1}
      miw={240}
      onSubmit={event => {
        event.preventDefault()
        void create()
      }}
    >
      <TextInput
        flex={1}
        aria-label={text('destination.newFolderName')}
        placeholder={text('destination.newFolderName')}
        value={name}
        error={problem}
        maxLength={255}
        autoFocus
        onChange={event => setName(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          // Only the field closes, not the dialog.
          event.stopPropagation()
          setName(null)
          setProblem(null)
        }}
      />
      <Button type="submit" variant="default" disabled={name.trim() === ''}>
        {text('destination.create')}
      </Button>
    </Group>
  )
}
