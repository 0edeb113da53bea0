import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { TopUpDialog } from '../credits/TopUpDialog.tsx'
import { messages } from '../messages.ts'
import { FormatTag } from '../ui/FormatTag.tsx'
import { count, size } from '../ui/format.ts'
import { Notice } from '../ui/Notice.tsx'
import list from './JobList.module.css'
import { useWaiting } from './queue.ts'
import classes from './WaitingList.module.css'

const few = 4

/** What the page still holds back: the first few, those that were refused, and how many follow. */
export function WaitingList() {
  const [toppingUp, setToppingUp] = useState(false)
  const { items, outOfCredits, remove, clear } = useWaiting()
  if (items.length === 0) return null
  const refused = items.filter(item => item.problem)
  const waiting = items.filter(item => !item.problem)
  const shown = [...refused.slice(0, 20), ...waiting.slice(0, few)]
  const missing = waiting.reduce((sum, item) => sum + item.credits, 0)
  return (
    <section aria-label={messages.jobs.sections.waiting}>
      <header className={list.header}>
        <h2 className={list.title}>{messages.jobs.sections.waiting}</h2>
        <span className={`${list.count} numbers`}>{count(items.length)}</span>
        <div className={list.actions}>
          <Button size="xs" variant="subtle" color="gray" onClick={clear}>
            {messages.jobs.cancelWaiting}
          </Button>
        </div>
      </header>
      {outOfCredits ? (
        <div className={classes.notice}>
          <Notice
            tone="attention"
            title={messages.jobs.stoppedCredits(waiting.length)}
            actions={
              <Button size="compact-sm" variant="default" onClick={() => setToppingUp(true)}>
                {messages.credits.topUp}
              </Button>
            }
          />
        </div>
      ) : (
        <p className={classes.text}>{messages.jobs.waitingText}</p>
      )}
      <ul className={list.list} aria-label={messages.jobs.sections.waiting}>
        {shown.map(item => (
          <li key={item.id} className={classes.item} aria-label={item.name}>
            <FormatTag size="s" label={item.targetLabel} category={item.category} />
            <span className={classes.words}>
              <span className={classes.name}>{item.name}</span>
              {item.problem && <span className={classes.problem}>{item.problem}</span>}
            </span>
            <span className={`${classes.size} numbers`}>{size(item.bytes)}</span>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={messages.jobs.remove(item.name)}
              onClick={() => remove(item.id)}
            >
              <IconX size={16} stroke={1.8} aria-hidden="true" />
            </ActionIcon>
          </li>
        ))}
        {items.length > shown.length && (
          <li className={classes.more}>{messages.jobs.moreWaiting(items.length - shown.length)}</li>
        )}
      </ul>
      <TopUpDialog opened={toppingUp} suggested={missing} onClose={() => setToppingUp(false)} />
    </section>
  )
}
