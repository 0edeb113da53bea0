import { Box, Button } from '@mantine/core'
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { text } from '../../messages/text.ts'
import { isMember, useSession } from '../../session/session.ts'
import { duration, moment, size } from '../../ui/format.ts'
import { leadTo } from '../state/actions.ts'
import type { Plan } from '../state/choose/plan.ts'
import { isExpecting, useJoining } from '../state/join/joining.ts'
import type { Line } from '../state/rows/layout.ts'
import { useRemoval } from '../state/rows/removal.ts'
import type { Ending } from '../state/submit/ending.ts'
import { failuresOf, resultOf, type Totals } from '../state/submit/totals.ts'
import classes from './BottomBar.module.css'
import { TopUp } from './TopUp.tsx'
import { usePace } from './usePace.ts'

interface Props {
  plan: Plan
  totals: Totals
  /** Null until everything has ended. */
  ending: Ending | null
  /** Keys of rows that have failed. */
  failed: readonly string[]
  lines: readonly Line[]
}

type Leads = (keys: readonly string[], words: string) => ReactNode

/** What is being done or has been done, and what is still to be done. */
export function Status(props: Props) {
  const { plan, totals, ending, lines } = props
  const undoable = useRemoval(state => state.undoable)
  const left = usePace(totals.open?.ended ?? 0, totals.open?.total ?? 0)
  /** Words about rows, which lead to them while they are there. */
  const leads = (keys: readonly string[], words: string) =>
    keys.length === 0 ? (
      words
    ) : (
      <button key={words} type="button" className={classes.lead} onClick={() => leadTo(keys, lines)}>
        {words}
      </button>
    )
  return (
    <div className={`${classes.status} numbers`}>
      <p className={classes.main}>
        {undoable === null ? (
          mainLine(props, left, leads)
        ) : (
          <>
            <span role="status">{text('convert.removed', { value: undoable })}</span>
            <Button size="compact-xs" variant="light" onClick={() => useRemoval.getState().undo()}>
              {text('common.undo')}
            </Button>
          </>
        )}
      </p>
      <NoteLine {...{ plan, lines, ending, leads }} />
      <Announcement totals={totals} />
    </div>
  )
}

/** Announces to screen readers what has ended since the last announcement. */
function Announcement({ totals }: { totals: Totals }) {
  const wasOpen = useRef(false)
  const before = useRef({ succeeded: 0, failed: 0 })
  const [announcement, announce] = useState('')
  // Between two batches of one press nothing may be open.
  const isExpected = useJoining(isExpecting)
  const isOpen = totals.open !== null || isExpected
  useEffect(() => {
    const { succeeded, failed } = totals
    const since = { succeeded: succeeded - before.current.succeeded, failed: failed - before.current.failed }
    if (wasOpen.current && !isOpen) announce(resultOf(since))
    if (!isOpen) before.current = totals
    wasOpen.current = isOpen
  }, [isOpen, totals])
  return (
    <span className="hidden-text" role="status">
      {announcement}
    </span>
  )
}

/** The progress or the result. */
function mainLine({ totals, ending, failed }: Props, left: number | null, leads: Leads): ReactNode {
  const { open, succeeded, savedBytes } = totals
  if (open) {
    const { ended: done, total } = open
    if (open.paused) return text('convert.paused', { done, total })
    return (
      <>
        {text('convert.doneOf', { done, total })}
        {left !== null && (
          <span className={classes.dim}>{text('convert.leftAbout', { time: duration(left) })}</span>
        )}
      </>
    )
  }
  if (succeeded + totals.failed === 0) return null
  const failures = failuresOf(totals)
  const [before, after] = resultOf(totals).split(failures)
  return (
    <>
      <span data-tone={totals.failed > 0 ? 'attention' : 'good'} className={classes.ended}>
        {(ending && savedText(ending)) ?? (
          <>
            {before}
            {after !== undefined && leads(failed, failures)}
            {after}
          </>
        )}
      </span>
      {succeeded > 0 && savedBytes !== 0 && !ending?.folders.length && (
        <span className={classes.dim}>
          {savedBytes > 0
            ? text('convert.saved', { size: size(savedBytes) })
            : text('convert.grown', { size: size(-savedBytes) })}
        </span>
      )}
    </>
  )
}

/** Where everything was saved; null if a file was not saved or has failed. */
function savedText({ done, saved, failed, folders }: Ending): string | null {
  const [folder] = folders
  if (folder === undefined || saved.length < done || failed.length > 0) return null
  return folders.length === 1
    ? text('convert.savedIn', { done, folder })
    : text('convert.savedInFolders', { done, folders: folders.length })
}

/** What is still to be done, and its cost if credits do not top up by themselves. */
function NoteLine({ plan, lines, ending, leads }: Omit<Props, 'totals' | 'failed'> & { leads: Leads }) {
  const balance = useSession(state => state.balance)
  const counts = useSession(({ session }) => session?.autoTopUp === false)
  const [toppingUp, setToppingUp] = useState(false)
  const member = useSession(isMember)
  const short = plan.credits - balance
  const parts: ReactNode[] = []
  if (plan.coming.length > 0) parts.push(text('convert.coming', { value: plan.coming.length }))
  if (plan.hasProblems) parts.push(text('convert.fixOptions'))
  if (plan.leftOut > 0) parts.push(text('convert.leftOut', { value: plan.leftOut }))
  if (plan.undecided.length > 0)
    parts.push(leads(plan.undecided, text('convert.undecided', { value: plan.undecided.length })))
  for (const line of lines)
    if (line.type === 'refused')
      parts.push(leads(line.keys, text('convert.refused', { value: line.keys.length })))
  const until = ending?.kept.map(({ job }) => job.expiresAt ?? '').sort()[0]
  if (until)
    parts.push(<span className={classes.until}>{text('convert.keptUntil', { time: moment(until) })}</span>)
  if (counts && plan.files > 0) parts.push(text('convert.price', { value: plan.credits, balance }))
  return (
    <Box component="p" className="fine" lh="20px">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no state
        <Fragment key={index}>
          {index > 0 && ' · '}
          {part}
        </Fragment>
      ))}
      {counts && plan.files > 0 && short > 0 && (
        <>
          <strong className={classes.short}>{text('convert.short', { value: short })}</strong>
          {!member && (
            <Button size="compact-xs" variant="subtle" onClick={() => setToppingUp(true)}>
              {text('credits.topUp')}
            </Button>
          )}
          <TopUp opened={toppingUp} suggested={short} onClose={() => setToppingUp(false)} />
        </>
      )}
    </Box>
  )
}
