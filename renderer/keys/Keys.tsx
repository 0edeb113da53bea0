import { useState } from 'react'
import type { ApiKey } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx'
import { EntryList } from '../ui/list/Entry.tsx'
import { CreateEntry } from '../ui/list/EntryAction.tsx'
import { Loaded } from '../ui/list/Loaded.tsx'
import { Panel } from '../ui/Panel.tsx'
import { BudgetDialog } from './BudgetDialog.tsx'
import { KeyRow } from './KeyRow.tsx'
import { NewKeyDialog } from './NewKeyDialog.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import { useKeys } from './store.ts'

/** The account's API keys: creating, limiting and revoking them. */
export function Keys() {
  const store = useKeys()
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const [limiting, setLimiting] = useState<ApiKey | null>(null)
  return (
    <Panel
      title={text('keys.title')}
      note={text('keys.intro')}
      actions={<CreateEntry label={text('keys.create')} onClick={() => setCreating(true)} />}
    >
      <Loaded from={store} value={store.keys}>
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
      <NewKeyDialog opened={creating} onClose={() => setCreating(false)} />
      <SecretDialog />
      <ConfirmDialog
        name={revoking?.name}
        title={name => text('keys.revokeTitle', { name })}
        explanation={text('keys.revokeText')}
        confirm={text('keys.revoke')}
        onConfirm={() => revoking && store.revoke(revoking.id)}
        done={name => text('keys.revoked', { name })}
        onClose={() => setRevoking(null)}
      />
      <BudgetDialog apiKey={limiting} onClose={() => setLimiting(null)} />
    </Panel>
  )
}
