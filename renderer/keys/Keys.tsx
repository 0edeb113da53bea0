import { Text } from '@mantine/core'
import { useState } from 'react'
import type { ApiKey } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { EntryList } from '../ui/list/Entry.tsx'
import { CreateEntry } from '../ui/list/EntryAction.tsx'
import { Loaded } from '../ui/list/Loaded.tsx'
import { Panel } from '../ui/Panel.tsx'
import { BudgetForm } from './Budget.tsx'
import { Copyable } from './Copyable.tsx'
import { exampleOf } from './example.ts'
import { KeyRow } from './KeyRow.tsx'
import { NewKeyForm } from './NewKeyForm.tsx'
import { OnceDialog } from './OnceDialog.tsx'
import { useKeys } from './store.ts'

/** The account's API keys: creating, limiting and revoking them. */
export function Keys() {
  const store = useKeys()
  const { created } = store
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const [limiting, setLimiting] = useState<ApiKey | null>(null)
  return (
    <Panel
      title={text('keys.title')}
      note={text('keys.intro')}
      actions={<CreateEntry label={text('keys.create')} onClick={() => setCreating(true)} />}
    >
      <Loaded from={store}>
        {keys => (
          <EntryList label={text('keys.list')} empty={text('keys.emptyText')}>
            {keys.map(key => (
              <KeyRow
                key={key.id}
                apiKey={key}
                onRevoke={() => setRevoking(key)}
                onBudget={() => setLimiting(key)}
              />
            ))}
          </EntryList>
        )}
      </Loaded>
      <Dialog opened={creating} onClose={() => setCreating(false)} title={text('keys.newTitle')}>
        <NewKeyForm onClose={() => setCreating(false)} />
      </Dialog>
      <OnceDialog title={text('keys.secretTitle')} content={created?.secret} onClose={store.forgetSecret}>
        <Text component="h3" fz="var(--text-md)" fw={650} m="6px 0 -10px">
          {text('keys.exampleTitle')}
        </Text>
        <Copyable
          content={exampleOf(created?.secret ?? '', location.origin)}
          label={text('keys.exampleTitle')}
          copyLabel={text('common.copyExample')}
        />
      </OnceDialog>
      <ConfirmDialog
        name={revoking?.name}
        title={name => text('keys.revokeTitle', { name })}
        explanation={text('keys.revokeText')}
        confirm={text('keys.revoke')}
        onConfirm={() => revoking && store.revoke(revoking.id)}
        done={name => text('keys.revoked', { name })}
        onClose={() => setRevoking(null)}
      />
      <Dialog
        opened={limiting !== null}
        onClose={() => setLimiting(null)}
        title={text('keys.budgetTitle', { name: limiting?.name ?? '' })}
      >
        {limiting && <BudgetForm apiKey={limiting} onClose={() => setLimiting(null)} />}
      </Dialog>
    </Panel>
  )
}
