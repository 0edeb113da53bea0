import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { NewPreset } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { notify } from '../ui/notifications/notify.ts'
import { useAction } from '../ui/useAction.ts'
import classes from './PresetMenu.module.css'
import { usePresets } from './store.ts'

interface Props {
  choices: NewPreset['choices']
  opened: boolean
  onClose: () => void
}

/** Asks for the name of a preset with the current targets of all formats. */
export function SavePreset({ choices, opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={text('presets.saveTitle')}>
      <SaveForm choices={choices} onClose={onClose} />
    </Dialog>
  )
}

function SaveForm({ choices, onClose }: Omit<Props, 'opened'>) {
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const { busy, act } = useAction()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!name.trim()) return
    await act(async () => {
      await usePresets.getState().add({ name: name.trim(), choices })
      notify(text('presets.saved', { name: name.trim() }))
      onClose()
    })
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className="remark">{text('presets.saveText')}</p>
      <TextInput
        data-autofocus
        label={text('common.name')}
        maxLength={60}
        value={name}
        error={tried && !name.trim() ? text('presets.nameRequired') : undefined}
        onChange={event => setName(event.currentTarget.value)}
      />
      <Group gap={8} justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {text('common.cancel')}
        </Button>
        <Button type="submit" loading={busy}>
          {text('presets.saveButton')}
        </Button>
      </Group>
    </form>
  )
}
