import { Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { text } from '../messages/text.ts'
import { DialogForm } from '../ui/dialog/DialogForm.tsx'
import { BudgetField } from './Budget.tsx'
import { useKeys } from './store.ts'

const expiries = ['never', '30', '90', '365'] as const
type Expiry = (typeof expiries)[number]

const dayMs = 86_400_000

const expiresAt = (expiry: Expiry): string | null =>
  expiry === 'never' ? null : new Date(Date.now() + Number(expiry) * dayMs).toISOString()

export function NewKeyForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [addresses, setAddresses] = useState('')
  const [refused, setRefused] = useState<string | null>(null)
  const [monthlyBudget, setBudget] = useState<number | null>(null)
  const [guest, setGuest] = useState(false)
  const [expiry, setExpiry] = useState<Expiry>('never')

  const create = () =>
    useKeys
      .getState()
      .createKey({
        name: name.trim(),
        ipAllowlist: addresses.split(/[\s,;]+/).filter(Boolean),
        guest,
        monthlyBudget,
        expiresAt: expiresAt(expiry),
      })
      .catch(error => {
        // Of what the fields let through, the service refuses only addresses.
        if (!(error instanceof ApiError) || error.code !== 'request.invalid_parameter') throw error
        setRefused(error.detail)
        return false
      })

  return (
    <DialogForm
      submit={text('keys.create')}
      isComplete={name.trim() !== ''}
      onSubmit={create}
      onDone={onClose}
    >
      {tried => (
        <>
          <TextInput
            data-autofocus
            label={text('common.name')}
            description={text('keys.nameHint')}
            placeholder={text('keys.namePlaceholder')}
            maxLength={80}
            value={name}
            error={tried && !name.trim() ? text('keys.nameRequired') : undefined}
            onChange={event => setName(event.currentTarget.value)}
          />
          <Textarea
            label={text('keys.allowlist')}
            description={text('keys.allowlistHint')}
            autosize
            minRows={2}
            maxRows={6}
            value={addresses}
            error={refused}
            onChange={event => {
              setAddresses(event.currentTarget.value)
              setRefused(null)
            }}
          />
          <Select
            label={text('keys.expiry')}
            data={expiries.map(value => ({ value, label: text(`keys.expiries.${value}`) }))}
            value={expiry}
            allowDeselect={false}
            onChange={value => value && setExpiry(value)}
          />
          <BudgetField value={monthlyBudget} onChange={setBudget} />
          <Switch
            label={text('keys.guestLabel')}
            description={text('keys.guestHint')}
            checked={guest}
            onChange={event => setGuest(event.currentTarget.checked)}
          />
        </>
      )}
    </DialogForm>
  )
}
