import { Button } from '@mantine/core'
import type { SignInLink } from '../../service/web/app/types.ts'
import { Copyable } from '../keys/Copyable.tsx'
import { text } from '../messages/text.ts'
import dialog from '../ui/dialog/Dialog.module.css'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { moment } from '../ui/format.ts'

interface Props {
  /** Null while the dialog is closed. */
  link: (SignInLink & { name: string }) | null
  onClose: () => void
}

/** Shows a link that signs a browser in to an account, once. */
export function SignInDialog({ link, onClose }: Props) {
  return (
    <Dialog
      opened={link !== null}
      onClose={onClose}
      title={text('accounts.linkTitle', { name: link?.name ?? '' })}
      size="lg"
      closeOnClickOutside={false}
    >
      {link && (
        <div className={dialog.form}>
          <p className={dialog.text}>{text('accounts.linkText', { when: moment(link.expires) })}</p>
          <Copyable
            content={link.url}
            label={text('accounts.linkLabel')}
            copyLabel={text('accounts.copyLink')}
          />
          <Button fullWidth size="md" onClick={onClose}>
            {text('common.close')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}
