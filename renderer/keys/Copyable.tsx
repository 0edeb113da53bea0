import { Button, Stack } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { text } from '../messages/text.ts'
import classes from './Dialogs.module.css'

interface CopyableProps {
  content: string
  label: string
  copyLabel: string
}

/** Text with a button that copies it. */
export function Copyable({ content, label, copyLabel }: CopyableProps) {
  const clipboard = useClipboard({ timeout: 2500 })
  const Icon = clipboard.copied ? IconCheck : IconCopy
  return (
    <Stack gap={8} align="flex-start">
      <section
        className={classes.code}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <pre>{content}</pre>
      </section>
      <Button
        size="xs"
        variant="light"
        leftSection={<Icon size={16} stroke={1.9} aria-hidden="true" />}
        onClick={() => clipboard.copy(content)}
      >
        {clipboard.copied ? text('common.copied') : copyLabel}
      </Button>
    </Stack>
  )
}
