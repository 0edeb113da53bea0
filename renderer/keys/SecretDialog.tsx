import { Button, Modal } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { messages } from '../messages.ts'
import classes from './Dialogs.module.css'
import { useKeys } from './store.ts'

/** A request that converts a photo with this key, ready for a shell. */
const exampleOf = (secret: string, origin: string): string =>
  [
    `curl ${origin}/convert \\`,
    `  -H "X-Service-Api-Key: ${secret}" \\`,
    '  -F file=@photo.heic \\',
    '  -F targetFormat=jpg',
  ].join('\n')

/** Shows a new key's secret, once. */
export function SecretDialog() {
  const { created, forgetSecret } = useKeys()
  const words = messages.keys
  return (
    <Modal
      opened={created !== null}
      onClose={forgetSecret}
      title={words.secretTitle}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': messages.common.close }}
    >
      {created && (
        <div className={classes.form}>
          <p className={classes.text}>{words.secretText}</p>
          <Copyable text={created.secret} label={words.secretLabel} copyLabel={words.copyKey} />
          <h3 className={classes.heading}>{words.exampleTitle}</h3>
          <Copyable
            text={exampleOf(created.secret, location.origin)}
            label={words.exampleTitle}
            copyLabel={words.copyExample}
          />
          <Button fullWidth size="md" onClick={forgetSecret}>
            {words.secretDone}
          </Button>
        </div>
      )}
    </Modal>
  )
}

interface CopyableProps {
  text: string
  label: string
  copyLabel: string
}

function Copyable({ text, label, copyLabel }: CopyableProps) {
  const clipboard = useClipboard({ timeout: 2500 })
  const Icon = clipboard.copied ? IconCheck : IconCopy
  return (
    <div className={classes.copyable}>
      <section
        className={classes.code}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <pre>{text}</pre>
      </section>
      <Button
        size="xs"
        variant="light"
        leftSection={<Icon size={16} stroke={1.9} aria-hidden="true" />}
        onClick={() => clipboard.copy(text)}
      >
        {clipboard.copied ? messages.common.copied : copyLabel}
      </Button>
    </div>
  )
}
