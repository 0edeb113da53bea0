import { Button, Modal, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messages } from '../messages.ts'
import { useAction } from '../ui/useAction.ts'
import { parseAllowlist } from './allowlist.ts'
import classes from './Dialogs.module.css'
import { useKeys } from './store.ts'

interface Props {
  opened: boolean
  onClose: () => void
}

type Expiry = keyof typeof messages.keys.expiries

const dayMs = 86_400_000

const expiresAt = (expiry: Expiry): string | null =>
  expiry === 'never' ? null : new Date(Date.now() + Number(expiry) * dayMs).toISOString()

export function NewKeyDialog({ opened, onClose }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={messages.keys.newTitle}
      closeButtonProps={{ 'aria-label': messages.common.close }}
    >
      <NewKeyForm onClose={onClose} />
    </Modal>
  )
}

function NewKeyForm({ onClose }: Pick<Props, 'onClose'>) {
  const words = messages.keys
  const [name, setName] = useState('')
  const [addresses, setAddresses] = useState('')
  const [guest, setGuest] = useState(false)
  const [expiry, setExpiry] = useState<Expiry>('never')
  const [tried, setTried] = useState(false)
  const { busy, act } = useAction()
  const { entries, wrong } = parseAllowlist(addresses)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!name.trim() || wrong) return
    await act(async () => {
      await useKeys
        .getState()
        .createKey({ name: name.trim(), ipAllowlist: entries, guest, expiresAt: expiresAt(expiry) })
      onClose()
    })
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        data-autofocus
        label={words.name}
        description={words.nameHint}
        placeholder={words.namePlaceholder}
        maxLength={80}
        value={name}
        error={tried && !name.trim() ? words.nameRequired : undefined}
        onChange={event => setName(event.currentTarget.value)}
      />
      <Textarea
        label={words.allowlist}
        description={words.allowlistHint}
        autosize
        minRows={2}
        maxRows={6}
        value={addresses}
        error={tried && wrong ? words.allowlistInvalid(wrong) : undefined}
        onChange={event => setAddresses(event.currentTarget.value)}
      />
      <Select
        label={words.expiry}
        data={Object.entries(words.expiries).map(([value, label]) => ({ value, label }))}
        value={expiry}
        allowDeselect={false}
        onChange={value => setExpiry((value ?? 'never') as Expiry)}
      />
      <Switch
        label={words.guestLabel}
        description={words.guestHint}
        checked={guest}
        onChange={event => setGuest(event.currentTarget.checked)}
      />
      <Button type="submit" fullWidth size="md" loading={busy}>
        {words.create}
      </Button>
    </form>
  )
}
