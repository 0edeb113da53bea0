import { Button } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useState } from 'react'
import { TopUpDialog } from '../credits/TopUpDialog.tsx'
import { useWaiting } from '../jobs/queue.ts'
import { messages } from '../messages.ts'
import { useSession } from '../shell/session.ts'
import { FormatTag } from '../ui/FormatTag.tsx'
import { count } from '../ui/format.ts'
import { Notice } from '../ui/Notice.tsx'
import { goTo } from '../ui/route.ts'
import { useMemory } from './memory.ts'
import { itemsOf, type Plan } from './plan.ts'
import classes from './Summary.module.css'
import { useConvert } from './store.ts'

interface Props {
  plan: Plan
}

/** Submits the plan, remembers its targets, and shows the jobs. */
function start(plan: Plan): void {
  const items = itemsOf(plan)
  const decided = plan.groups.filter(each => each.target && each.quote)
  useMemory
    .getState()
    .remember(Object.fromEntries(decided.map(({ group, target }) => [group.format, target?.target ?? ''])))
  useWaiting.getState().add(items)
  useConvert
    .getState()
    .removeSubmitted(decided.flatMap(({ quote }) => quote?.ready.map(({ file }) => file.key) ?? []))
  goTo('jobs')
}

/** What it costs, what is left afterwards, and the one button. */
export function Summary({ plan }: Props) {
  const [toppingUp, setToppingUp] = useState(false)
  const balance = useSession(state => state.balance)
  const reserved = useWaiting(state =>
    state.items.reduce((sum, item) => sum + (item.problem ? 0 : item.credits), 0),
  )
  const short = plan.credits - (balance - reserved)
  const decided = plan.groups.filter(each => each.target && each.quote)
  return (
    <aside className={classes.summary} aria-label={messages.convert.summary}>
      {decided.length > 0 && (
        <ul className={classes.groups}>
          {decided.map(({ group, target, quote }) => (
            <li key={group.format}>
              <span className={`${classes.number} numbers`}>{count(quote?.ready.length ?? 0)}</span>
              <FormatTag size="s" label={group.label} category={group.category} />
              <IconArrowRight size={14} aria-hidden="true" />
              <span className="hidden-text">{messages.convert.to}</span>
              <FormatTag size="s" label={target?.label ?? ''} category={target?.category ?? null} />
              <span className={`${classes.cost} numbers`}>{count(quote?.credits ?? 0)}</span>
            </li>
          ))}
        </ul>
      )}
      <dl className={`${classes.sums} numbers`}>
        <div className={classes.total}>
          <dt>{messages.convert.total}</dt>
          <dd>{messages.convert.price(plan.credits)}</dd>
        </div>
        <div>
          <dt>{messages.convert.balance}</dt>
          <dd>{count(balance)}</dd>
        </div>
        {plan.credits > 0 && short <= 0 && (
          <div>
            <dt>{messages.convert.after}</dt>
            <dd>{count(-short)}</dd>
          </div>
        )}
      </dl>
      <div className={classes.remarks}>
        {reserved > 0 && <p>{messages.convert.waitingCredits(reserved)}</p>}
        {plan.files === 0 && <p>{messages.convert.chooseFirst}</p>}
        {plan.files > 0 && plan.undecided > 0 && <p>{messages.convert.someWithout(plan.undecided)}</p>}
        {plan.hasProblems && <p>{messages.convert.fixOptions}</p>}
      </div>
      {plan.files > 0 && short > 0 && (
        <Notice tone="attention" title={messages.convert.short(short)}>
          <p>{messages.convert.shortText}</p>
          <Button
            className={classes.topUp}
            size="compact-sm"
            variant="default"
            onClick={() => setToppingUp(true)}
          >
            {messages.credits.topUp}
          </Button>
        </Notice>
      )}
      <Button
        className={classes.convert}
        size="lg"
        fullWidth
        disabled={plan.files === 0 || plan.hasProblems || short > 0}
        onClick={() => start(plan)}
      >
        {messages.convert.convertButton(plan.files)}
      </Button>
      <TopUpDialog opened={toppingUp} suggested={short} onClose={() => setToppingUp(false)} />
    </aside>
  )
}
