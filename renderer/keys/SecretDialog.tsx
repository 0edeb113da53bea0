import type { ReactNode } from 'react'
import { text } from '../messages/text.ts'
import { OnceDialog } from './OnceDialog.tsx'

interface Props {
  title: string
  /** Undefined while the dialog is closed. */
  secret: string | undefined
  onClose: () => void
  children?: ReactNode
}

/** Shows a new key, once. */
export const SecretDialog = ({ secret, ...others }: Props) => (
  <OnceDialog
    about={text('keys.secretText')}
    content={secret}
    label={text('keys.secretLabel')}
    copyLabel={text('keys.copyKey')}
    done={text('keys.secretDone')}
    {...others}
  />
)
