import { Button } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { TopUpDialog } from '../credits/TopUpDialog.tsx'
import { SaveTo } from '../destination/SaveTo.tsx'
import { destinationOf, isComplete, useDestination } from '../destination/store.ts'
import { useBatches } from '../jobs/batches.ts'
import { text } from '../messages/text.ts'
import { useSession } from '../shell/session.ts'
import { FormatTag } from '../ui/FormatTag.tsx'
import { count } from '../ui/format.ts'
import { Notice } from '../ui/Notice.tsx'
import { tellProblem } from '../ui/notify.ts'
import { goTo } from '../ui/route.ts'
import { useMemory } from './memory.ts'
import { batchesOf, type Plan } from './plan.ts'
import classes from './Summary.module.css'
import { useConvert } from './store.ts'

interface Props {
  plan: Plan
}

/** Submits each group as a batch, and shows them. A group that is refused stays, and the reason is shown. */
async function submit(plan: Plan): Promise<void> {
  const memory = useMemory.getState()
  const destination = await destinationOf(useDestination.getState().value)
  if (!destination) return
  let submitted = 0
  for (const { format, keys, request } of batchesOf(plan, destination)) {
    try {
      await useBatches.getState().create(request)
      memory.remember({ [format]: request.targetFormat })
      useConvert.getState().removeSubmitted(keys)
      submitted++
    } catch (error) {
      tellProblem(error)
    }
  }
  if (submitted > 0) goTo('jobs')
}

/** The first file that is to be converted, and its target. */
function exampleOf({ groups }: Plan) {
  for (const { target, quote } of groups) {
    const fileId = quote?.ready[0]?.file.id
    if (target && fileId) return { fileId, target: target.target }
  }
  return null
}

/** What it costs, what is left afterwards, and the one button. */
export function Summary({ plan }: Props) {
  const [toppingUp, setToppingUp] = useState(false)
  const [busy, setBusy] = useState(false)
  const balance = useSession(state => state.balance)
  const short = plan.credits - balance
  const saveTo = useDestination(state => state.value)
  useEffect(() => void useDestination.getState().load(), [])
  const decided = plan.groups.filter(each => each.target && each.quote)
  return (
    <aside className={classes.summary} aria-label={text('convert.summary')}>
      {decided.length > 0 && (
        <ul className={classes.groups}>
          {decided.map(({ group, target, quote }) => (
            <li key={group.format}>
              <span className={`${classes.number} numbers`}>{count(quote?.ready.length ?? 0)}</span>
              <FormatTag size="s" label={group.label} category={group.category} />
              <IconArrowRight size={14} aria-hidden="true" />
              <span className="hidden-text">{text('convert.to')}</span>
              <FormatTag size="s" label={target?.label ?? ''} category={target?.category ?? null} />
              <span className={`${classes.cost} numbers`}>{count(quote?.credits ?? 0)}</span>
            </li>
          ))}
        </ul>
      )}
      <dl className={`${classes.sums} numbers`}>
        <div className={classes.total}>
          <dt>{text('convert.total')}</dt>
          <dd>{text('convert.price', { value: plan.credits })}</dd>
        </div>
        <div>
          <dt>{text('convert.balance')}</dt>
          <dd>{count(balance)}</dd>
        </div>
        {plan.credits > 0 && short <= 0 && (
          <div>
            <dt>{text('convert.after')}</dt>
            <dd>{count(-short)}</dd>
          </div>
        )}
      </dl>
      <div className={classes.remarks}>
        {plan.files === 0 && <p>{text('convert.chooseFirst')}</p>}
        {plan.files > 0 && plan.undecided > 0 && (
          <p>{text('convert.someWithout', { value: plan.undecided })}</p>
        )}
        {plan.hasProblems && <p>{text('convert.fixOptions')}</p>}
      </div>
      {plan.files > 0 && short > 0 && (
        <Notice tone="attention" title={text('convert.short', { value: short })}>
          <p>{text('convert.shortText')}</p>
          <Button
            className={classes.topUp}
            size="compact-sm"
            variant="default"
            onClick={() => setToppingUp(true)}
          >
            {text('credits.topUp')}
          </Button>
        </Notice>
      )}
      <SaveTo value={saveTo} onChange={useDestination.getState().change} example={exampleOf(plan)} />
      <Button
        className={classes.convert}
        size="lg"
        fullWidth
        disabled={plan.files === 0 || plan.hasProblems || !isComplete(saveTo)}
        loading={busy}
        onClick={() => {
          setBusy(true)
          void submit(plan)
            .catch(tellProblem)
            .finally(() => setBusy(false))
        }}
      >
        {text('convert.convertButton', { value: plan.files })}
      </Button>
      <TopUpDialog opened={toppingUp} suggested={short} onClose={() => setToppingUp(false)} />
    </aside>
  )
}
