import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Batch } from '../../service/app/types.ts'
import { TopUpDialog } from '../credits/TopUpDialog.tsx'
import { text } from '../messages/text.ts'
import { Notice } from '../ui/Notice.tsx'
import classes from './BatchProblem.module.css'

const outOfCredits = 'entitlements.insufficient_credits'

interface Props {
  batch: Batch
}

/** Why a batch paused by itself. One without credits resumes by itself after a top-up. */
export function BatchProblem({ batch }: Props) {
  const [toppingUp, setToppingUp] = useState(false)
  const { problem } = batch
  if (!problem) return null
  return (
    <div className={classes.problem}>
      <Notice
        tone="attention"
        actions={
          problem.code === outOfCredits && (
            <Button size="compact-sm" variant="default" onClick={() => setToppingUp(true)}>
              {text('credits.topUp')}
            </Button>
          )
        }
      >
        <p>{problem.detail}</p>
      </Notice>
      <TopUpDialog opened={toppingUp} onClose={() => setToppingUp(false)} />
    </div>
  )
}
