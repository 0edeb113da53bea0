import { Box, Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { text } from '../messages/text.ts'
import { useSession } from '../session/session.ts'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { count } from '../ui/format.ts'
import { NumberField } from '../ui/NumberField.tsx'
import { notify } from '../ui/notifications/notify.ts'
import { useAction } from '../ui/useAction.ts'

interface Props {
  opened: boolean
  /** How many credits are missing now. */
  suggested?: number
  onClose: () => void
}

const amounts = [100, 500, 2000]
const most = 1_000_000

export function TopUpDialog({ opened, suggested = 0, onClose }: Props) {
  const smallest = amounts.find(each => each >= suggested) ?? amounts.at(-1) ?? 0
  const [chosen, setChosen] = useState<number | null>(null)
  const { busy, act } = useAction()
  const amount = chosen ?? Math.max(smallest, suggested)
  const valid = Number.isInteger(amount) && amount >= 1 && amount <= most

  const add = () =>
    act(async () => {
      const { balance } = await api.topUp(amount)
      useSession.setState({ balance })
      notify(text('credits.added', { value: amount }))
      setChosen(null)
      onClose()
    })

  return (
    <Dialog opened={opened} onClose={onClose} title={text('credits.topUpTitle')}>
      <Box component="p" m="0 0 18px" c="var(--ink-2)">
        {text('credits.topUpText')}
      </Box>
      <SegmentedControl
        fullWidth
        aria-label={text('credits.amount')}
        data={amounts.map(value => ({ value, label: count(value) }))}
        value={amount}
        onChange={setChosen}
      />
      <Box mt="md">
        <NumberField
          {...{ label: text('credits.custom'), least: 1, most, value: amount || undefined }}
          onChange={(value = 0) => setChosen(value)}
        />
      </Box>
      <Button mt="xl" fullWidth size="md" loading={busy} disabled={!valid} onClick={add}>
        {text('credits.add', { value: valid ? amount : 0 })}
      </Button>
    </Dialog>
  )
}
