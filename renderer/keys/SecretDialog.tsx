import { text } from '../messages/text.ts'
import { Copyable } from './Copyable.tsx'
import classes from './Dialogs.module.css'
import { exampleOf } from './example.ts'
import { OnceDialog } from './OnceDialog.tsx'
import { useKeys } from './store.ts'

/** Shows a new key's secret, once. */
export function SecretDialog() {
  const { created, forgetSecret } = useKeys()
  return (
    <OnceDialog
      title={text('keys.secretTitle')}
      about={text('keys.secretText')}
      content={created?.secret}
      label={text('keys.secretLabel')}
      copyLabel={text('keys.copyKey')}
      done={text('keys.secretDone')}
      onClose={forgetSecret}
    >
      <h3 className={classes.heading}>{text('keys.exampleTitle')}</h3>
      <Copyable
        content={exampleOf(created?.secret ?? '', location.origin)}
        label={text('keys.exampleTitle')}
        copyLabel={text('common.copyExample')}
      />
    </OnceDialog>
  )
}
