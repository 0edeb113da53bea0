import { Button } from '@mantine/core'
import { Copyable } from '../keys/Copyable.tsx'
import { text } from '../messages/text.ts'
import dialog from '../ui/dialog/Dialog.module.css'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { useAccounts } from './store.ts'

/** Shows the first key of a new account, once. */
export function FirstKeyDialog() {
  const { created, forgetKey } = useAccounts()
  return (
    <Dialog
      opened={created !== null}
      onClose={forgetKey}
      title={text('accounts.keyTitle', { name: created?.name ?? '' })}
      size="lg"
      closeOnClickOutside={false}
    >
      {created && (
        <div className={dialog.form}>
          <p className={dialog.text}>{text('keys.secretText')}</p>
          <Copyable content={created.key} label={text('keys.secretLabel')} copyLabel={text('keys.copyKey')} />
          <Button fullWidth size="md" onClick={forgetKey}>
            {text('keys.secretDone')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}
