import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { NewPreset } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { DialogForm } from '../ui/dialog/DialogForm.tsx'
import { notify } from '../ui/notifications/notify.ts'
import { usePresets } from './store.ts'

interface Props {
  choices: NewPreset['choices']
  opened: boolean
  onClose: () => void
}

/** Asks for the name of a preset with the current targets of all formats. */
export const SavePreset = (props: Props) => (
  <Dialog opened={props.opened} onClose={props.onClose} title={text('presets.saveTitle')}>
    <SaveForm {...props} />
  </Dialog>
)

function SaveForm({ choices, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const save = async () => {
    await usePresets.getState().add({ name, choices })
    notify(text('presets.saved', { name }))
  }
  return (
    <DialogForm submit={text('presets.saveButton')} isComplete={name !== ''} onSubmit={save} onDone={onClose}>
      {tried => (
        <>
          <p className="remark">{text('presets.saveText')}</p>
          <TextInput
            data-autofocus
            label={text('common.name')}
            maxLength={60}
            value={typed}
            error={tried && name === '' ? text('presets.nameRequired') : undefined}
            onChange={event => setTyped(event.currentTarget.value)}
          />
        </>
      )}
    </DialogForm>
  )
}
