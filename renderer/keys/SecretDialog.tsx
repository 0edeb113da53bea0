import { Button, Modal } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { text } from '../messages/text.ts'
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
  return (
    <Modal
      opened={created !== null}
      onClose={forgetSecret}
      title={text('keys.secretTitle')}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': text('common.close') }}
    >
      {created && (
        <div className={classes.form}>
          <p className={classes.text}>{text('keys.secretText')}</p>
          <Copyable
            content={created.secret}
            label={text('keys.secretLabel')}
            copyLabel={text('keys.copyKey')}
          />
          <h3 className={classes.heading}>{text('keys.exampleTitle')}</h3>
          <Copyable
            content={exampleOf(created.secret, location.origin)}
            label={text('keys.exampleTitle')}
            copyLabel={text('keys.copyExample')}
          />
          <Button fullWidth size="md" onClick={forgetSecret}>
            {text('keys.secretDone')}
          </Button>
        </div>
      )}
    </Modal>
  )
}

interface CopyableProps {
  content: string
  label: string
  copyLabel: string
}

function Copyable({ content, label, copyLabel }: CopyableProps) {
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
    </div>
  )
}
