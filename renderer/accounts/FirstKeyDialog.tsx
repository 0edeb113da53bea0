import { OnceDialog } from '../keys/OnceDialog.tsx'
import { text } from '../messages/text.ts'
import { useAccounts } from './store.ts'

/** Shows the first key of a new account, once. */
export function FirstKeyDialog() {
  const { created, forgetKey } = useAccounts()
  return (
    <OnceDialog
      title={text('accounts.keyTitle', { name: created?.name ?? '' })}
      about={text('keys.secretText')}
      content={created?.key}
      label={text('keys.secretLabel')}
      copyLabel={text('keys.copyKey')}
      done={text('keys.secretDone')}
      onClose={forgetKey}
    />
  )
}
