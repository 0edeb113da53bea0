import { Button, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useAction } from '../useAction.ts'

interface Props {
  /** Label of the button that sends the form. */
  submit: string
  /** Whether what was entered can be sent. */
  isComplete?: boolean
  /** False if a field says why it was not sent. */
  onSubmit: () => Promise<unknown>
  /** Called once it was sent; the dialog stays open, with a notice, if that fails. */
  onDone: () => void
  /** The fields, which say what is missing once somebody has tried to send them. */
  children: (tried: boolean) => ReactNode
}

/** The form of a dialog: its fields, and the button that sends them. */
export function DialogForm({ submit, isComplete = true, onSubmit, onDone, children }: Props) {
  const [tried, setTried] = useState(false)
  const { busy, act } = useAction()
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isComplete) return
    await act(async () => {
      if ((await onSubmit()) !== false) onDone()
    })
  }
  return (
    <form onSubmit={send} noValidate>
      <Stack gap={18}>
        {children(tried)}
        <Button type="submit" fullWidth size="md" loading={busy}>
          {submit}
        </Button>
      </Stack>
    </form>
  )
}
