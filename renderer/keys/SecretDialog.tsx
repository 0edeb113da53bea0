import { Button } from '@mantine/core'
import { text } from '../messages/text.ts'
import dialog from '../ui/dialog/Dialog.module.css'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { Copyable } from './Copyable.tsx'
import classes from './Dialogs.module.css'
import { exampleOf } from './example.ts'
import { useKeys } from './store.ts'

/** Shows a new key's secret, once. */
export function SecretDialog() {
  const { created, forgetSecret } = useKeys()
  return (
    <Dialog
      opened={created !== null}
      onClose={forgetSecret}
      title={text('keys.secretTitle')}
      size="lg"
      closeOnClickOutside={false}
    >
      {created && (
        <div className={dialog.form}>
          <p className={dialog.text}>{text('keys.secretText')}</p>
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
    </Dialog>
  )
}
