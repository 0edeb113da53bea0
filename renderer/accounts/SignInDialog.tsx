import type { SignInLink } from '../../service/web/app/types.ts'
import { OnceDialog } from '../keys/OnceDialog.tsx'
import { text } from '../messages/text.ts'
import { moment } from '../ui/format.ts'

interface Props {
  /** Null while the dialog is closed. */
  link: (SignInLink & { name: string }) | null
  onClose: () => void
}

/** Shows a link that signs a browser in to an account, once. */
export const SignInDialog = ({ link, onClose }: Props) => (
  <OnceDialog
    title={text('accounts.linkTitle', { name: link?.name ?? '' })}
    about={text('accounts.linkText', { when: link ? moment(link.expires) : '' })}
    content={link?.url}
    label={text('accounts.linkLabel')}
    copyLabel={text('accounts.copyLink')}
    done={text('common.close')}
    onClose={onClose}
  />
)
