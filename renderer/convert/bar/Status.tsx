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
import { partsOf, resultOf, type Totals } from '../state/submit/totals.ts'
import classes from './BottomBar.module.css'
import { TopUp } from './TopUp.tsx'

interface Props {
  plan: Plan
  totals: Totals
  /** Null until everything has ended. */
  ending: Ending | null
  /** Keys of rows that have failed or were canceled. */
  ended: Pick<Ending, 'failed' | 'canceled'>
  lines: readonly Line[]
}

/** What is being done or has been done, and what is still to be done. */
export function Status(props: Props) {
  const { plan, totals, ending, lines } = props
  const undoable = useRemoval(state => state.undoable)
  const left = usePace(totals.open?.ended ?? 0, totals.open?.total ?? 0)
  return (
    <div className={`${classes.status} numbers`}>
      <p className={classes.main}>
        {undoable === null ? (
          mainLine(props, left)
        ) : (
          <>
            <span role="status">{undoable}</span>
            <Button size="compact-xs" variant="light" onClick={() => useRemoval.getState().undo()}>
              {text('common.undo')}
            </Button>
          </>
        )}
      </p>
      <NoteLine {...{ plan, lines, ending }} />
      <Announcement totals={totals} />
    </div>
  )
}

/** Only the last seconds count, so that the pace follows the current files. */
const WINDOW_MS = 20_000
/** Number of finished files before an estimate makes sense. */
const ENOUGH = 3

/** Seconds until all files are finished, at the current pace; null while unknown. */
function usePace(ended: number, total: number): number | null {
  const seen = useRef<{ at: number; ended: number }[]>([])
  const [left, setLeft] = useState<number | null>(null)
  useEffect(() => {
    const at = performance.now()
    if (total === 0 || ended < (seen.current.at(-1)?.ended ?? 0)) seen.current = []
    seen.current = [...seen.current.filter(each => at - each.at < WINDOW_MS), { at, ended }]
    const [first] = seen.current
    const done = first ? ended - first.ended : 0
    setLeft(first && done >= ENOUGH ? ((at - first.at) / 1000 / done) * (total - ended) : null)
  }, [ended, total])
  return left
}

/** Announces to screen readers what has ended since the last announcement. */
function Announcement({ totals }: { totals: Totals }) {
  const wasOpen = useRef(false)
  const before = useRef({ succeeded: 0, failed: 0, canceled: 0 })
  const [announcement, announce] = useState('')
  // Between two batches of one press nothing may be open.
  const isExpected = useJoining(isExpecting)
  const isOpen = totals.open !== null || isExpected
  useEffect(() => {
    const since = (of: keyof typeof before.current) => totals[of] - before.current[of]
    const [succeeded, failed, canceled] = [since('succeeded'), since('failed'), since('canceled')]
    if (wasOpen.current && !isOpen) announce(resultOf({ succeeded, failed, canceled }))
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
function mainLine({ totals, ending, ended, lines }: Props, left: number | null): ReactNode {
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
  const parts = partsOf(totals).map(({ of, words }) =>
    leads(of === 'succeeded' ? [] : ended[of], words, lines),
  )
  if (parts.length === 0) return null
  return (
    <>
      <span data-tone={totals.failed > 0 ? 'attention' : 'good'} className={classes.ended}>
        {(ending && savedText(ending)) ?? <Parts of={parts} />}
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

/** Words about rows, which lead to them while they are there. */
const leads = (keys: readonly string[], words: string, lines: readonly Line[]) =>
  keys.length === 0 ? (
    words
  ) : (
    <button key={words} type="button" className={classes.lead} onClick={() => leadTo(keys, lines)}>
      {words}
    </button>
  )

const Parts = ({ of }: { of: readonly ReactNode[] }) =>
  of.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they have no state
    <Fragment key={index}>
      {index > 0 && ' · '}
      {part}
    </Fragment>
  ))

/** What is still to be done, and its cost if credits do not top up by themselves. */
function NoteLine({ plan, lines, ending }: Omit<Props, 'totals' | 'ended'>) {
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
    parts.push(leads(plan.undecided, text('convert.undecided', { value: plan.undecided.length }), lines))
  for (const line of lines)
    if (line.type === 'refused')
      parts.push(leads(line.keys, text('convert.refused', { value: line.keys.length }), lines))
  const until = ending?.kept.map(({ job }) => job.expiresAt ?? '').sort()[0]
  if (until)
    parts.push(<span className={classes.until}>{text('convert.keptUntil', { time: moment(until) })}</span>)
  if (counts && plan.files > 0) parts.push(text('convert.price', { value: plan.credits, balance }))
  return (
    <Box component="p" className="fine" lh="20px">
      <Parts of={parts} />
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
