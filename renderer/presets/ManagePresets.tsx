import { Group, Stack, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Preset } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { IconAction } from '../ui/IconAction.tsx'
import { notifyProblem } from '../ui/notifications/notify.ts'
import { usePresets } from './store.ts'

/** The person's own presets: renamed in place, or deleted. */
export function ManagePresets({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const presets = usePresets(state => state.presets)
  const own = presets.filter(({ builtIn }) => !builtIn)
  return (
    <Dialog opened={opened} onClose={onClose} title={text('presets.manageTitle')}>
      {own.length === 0 ? (
        <p className="remark">{text('presets.none')}</p>
      ) : (
        <Stack component="ul" gap={8} className="plain-list">
          {own.map(preset => (
            <Row key={preset.id} preset={preset} />
          ))}
        </Stack>
      )}
    </Dialog>
  )
}

function Row({ preset }: { preset: Preset }) {
  const { id, name, choices } = preset
  const [typed, setTyped] = useState(name)
  const { change, remove } = usePresets.getState()
  const rename = () => {
    const next = typed.trim()
    if (next === '') setTyped(name)
    else if (next !== name) change(id, { name: next, choices }).catch(notifyProblem)
  }
  return (
    <Group component="li" gap={10} wrap="nowrap">
      <TextInput
        flex={1}
        aria-label={text('presets.renameNamed', { name })}
        maxLength={60}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        onBlur={rename}
        onKeyDown={event => event.key === 'Enter' && rename()}
      />
      <span className="fine">{text('presets.formats', { value: Object.keys(choices).length })}</span>
      <IconAction
        label={text('presets.deleteNamed', { name })}
        symbol={<IconTrash size={17} stroke={1.8} aria-hidden="true" />}
        onClick={() => void remove(id).catch(notifyProblem)}
      />
    </Group>
  )
}
