import { useState } from 'react'
import type { SignInLink, TeamAccount } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { OnceDialog } from '../keys/OnceDialog.tsx'
import { text } from '../messages/text.ts'
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { moment } from '../ui/format.ts'
import { EntryList } from '../ui/list/Entry.tsx'
import { CreateEntry } from '../ui/list/EntryAction.tsx'
import { Loaded } from '../ui/list/Loaded.tsx'
import { Panel } from '../ui/Panel.tsx'
import { useAction } from '../ui/useAction.ts'
import { AccountRow } from './AccountRow.tsx'
import { ChangeForm } from './ChangeForm.tsx'
import { NewAccountForm } from './NewAccountForm.tsx'
import { useAccounts } from './store.ts'

/** The accounts of a service, for its owner: creating, limiting and closing them, and giving them credits. */
export function Accounts() {
  const store = useAccounts()
  const { created } = store
  const [creating, setCreating] = useState(false)
  const [changing, setChanging] = useState<TeamAccount | null>(null)
  const [link, setLink] = useState<(SignInLink & { name: string }) | null>(null)
  const { act } = useAction()
  const [closing, setClosing] = useState<TeamAccount | null>(null)
  return (
    <Panel
      title={text('settings.accounts')}
      note={text('accounts.intro')}
      actions={<CreateEntry label={text('accounts.create')} onClick={() => setCreating(true)} />}
    >
      <Loaded from={store}>
        {accounts => (
          <EntryList label={text('settings.accounts')}>
            {accounts.map((account, index) => (
              <AccountRow
                key={account.id}
                account={account}
                isOwners={index === 0}
                onChange={() => setChanging(account)}
                onLink={() =>
                  void act(async () => setLink({ ...(await api.signInLink(account.id)), name: account.name }))
                }
                onClose={() => setClosing(account)}
              />
            ))}
          </EntryList>
        )}
      </Loaded>
      <Dialog opened={creating} onClose={() => setCreating(false)} title={text('accounts.newTitle')}>
        <NewAccountForm onClose={() => setCreating(false)} />
      </Dialog>
      <OnceDialog
        title={text('accounts.keyTitle', { name: created?.name ?? '' })}
        content={created?.key}
        onClose={store.forgetKey}
      />
      <OnceDialog
        title={text('accounts.linkTitle', { name: link?.name ?? '' })}
        about={text('accounts.linkText', { when: link ? moment(link.expires) : '' })}
        content={link?.url}
        label={text('accounts.linkLabel')}
        copyLabel={text('accounts.copyLink')}
        done={text('common.close')}
        onClose={() => setLink(null)}
      />
      <Dialog
        opened={changing !== null}
        onClose={() => setChanging(null)}
        title={text('accounts.changeTitle', { name: changing?.name ?? '' })}
      >
        {changing && <ChangeForm account={changing} onClose={() => setChanging(null)} />}
      </Dialog>
      <ConfirmDialog
        name={closing?.name}
        title={name => text('accounts.closeTitle', { name })}
        explanation={text('accounts.closeText')}
        confirm={text('accounts.closeAccount')}
        onConfirm={() => closing && store.close(closing.id)}
        done={name => text('accounts.wasClosed', { name })}
        onClose={() => setClosing(null)}
      />
    </Panel>
  )
}
