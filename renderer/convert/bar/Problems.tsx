import { Box, Button } from '@mantine/core'
import { useState } from 'react'
import type { Batch } from '../../../service/web/app/types.ts'
import { isOpen } from '../../jobs/known.ts'
import { useJobs } from '../../jobs/store.ts'
import { text } from '../../messages/text.ts'
import { isMember, useSession } from '../../session/session.ts'
import { Notice } from '../../ui/notifications/Notice.tsx'
import { useAction } from '../../ui/useAction.ts'
import { TopUp } from './TopUp.tsx'

const outOfCredits = 'entitlements.insufficient_credits'

/** Why batches were paused automatically. */
export function Problems({ batches }: { batches: readonly Batch[] }) {
  const [toppingUp, setToppingUp] = useState(false)
  const member = useSession(isMember)
  const { busy, act } = useAction()
  const stopped = batches.find(batch => isOpen(batch) && batch.problem)
  if (!stopped?.problem) return null
  return (
    <Box p="8px 16px 0">
      <Notice
        tone="attention"
        actions={
          stopped.problem.code === outOfCredits && !member ? (
            <Button size="compact-sm" variant="default" onClick={() => setToppingUp(true)}>
              {text('credits.topUp')}
            </Button>
          ) : (
            <Button
              size="compact-sm"
              variant="default"
              disabled={busy}
              onClick={() => void act(() => useJobs.getState().resume(stopped.id))}
            >
              {text('common.resume')}
            </Button>
          )
        }
      >
        <p>{stopped.problem.detail}</p>
      </Notice>
      <TopUp opened={toppingUp} onClose={() => setToppingUp(false)} />
    </Box>
  )
}
