import { Button, Loader } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { ApiKey } from '../../service/app/types.ts'
import { text } from '../messages/text.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { PageFrame } from '../ui/PageFrame.tsx'
import { KeyRow } from './KeyRow.tsx'
import classes from './KeysView.module.css'
import { NewKeyDialog } from './NewKeyDialog.tsx'
import { RevokeDialog } from './RevokeDialog.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import { useKeys } from './store.ts'
import { Webhooks } from './Webhooks.tsx'

export function KeysView() {
  const { keys, status, load } = useKeys()
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  useEffect(() => void load(), [load])
  const create = (
    <Button
      leftSection={<IconPlus size={18} stroke={1.9} aria-hidden="true" />}
      onClick={() => setCreating(true)}
    >
      {text('keys.create')}
    </Button>
  )
  const empty = status === 'ready' && keys.length === 0
  return (
    <PageFrame
      title={text('keys.title')}
      intro={text('keys.intro')}
      width="narrow"
      actions={!empty && create}
    >
      {status === 'loading' && <Loader role="status" aria-label={text('common.loading')} />}
      {status === 'failed' && (
        <Notice
          tone="danger"
          title={text('errors.loadFailed')}
          actions={
            <Button size="compact-sm" variant="default" onClick={() => void load()}>
              {text('common.tryAgain')}
            </Button>
          }
        />
      )}
      {empty && (
        <EmptyState title={text('keys.emptyTitle')} text={text('keys.emptyText')}>
          {create}
        </EmptyState>
      )}
      {keys.length > 0 && (
        <ul className={classes.list} aria-label={text('keys.list')}>
          {keys.map(key => (
            <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
          ))}
        </ul>
      )}
      <Webhooks />
      <NewKeyDialog opened={creating} onClose={() => setCreating(false)} />
      <SecretDialog />
      <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} />
    </PageFrame>
  )
}
