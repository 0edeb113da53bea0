import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { text } from '../messages/text.ts'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { Copyable } from './Copyable.tsx'

interface Props {
  title: string
  /** What it is for, and that it is not shown again; by default what there is to say of a key. */
  about?: string
  /** Undefined while the dialog is closed. */
  content: string | undefined
  label?: string
  copyLabel?: string
  /** The only button that closes it: a key pressed by mistake must not throw away what is shown once. */
  done?: string
  onClose: () => void
  children?: ReactNode
}

/** Shows something secret, once. */
export const OnceDialog = ({
  title,
  about = text('keys.secretText'),
  content,
  label = text('keys.secretLabel'),
  copyLabel = text('keys.copyKey'),
  done = text('keys.secretDone'),
  onClose,
  children,
}: Props) => (
  <Dialog
    {...{ title, onClose, opened: content !== undefined, size: 'lg' }}
    {...{ closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false }}
  >
    {content !== undefined && (
      <Stack gap={18}>
        <Text c="var(--ink-2)">{about}</Text>
        <Copyable content={content} label={label} copyLabel={copyLabel} />
        {children}
        <Button fullWidth size="md" onClick={onClose}>
          {done}
        </Button>
      </Stack>
    )}
  </Dialog>
)
