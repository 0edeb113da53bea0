import { Button } from '@mantine/core'
import { IconDownload, IconPlayerPause, IconPlayerPlay, IconRefresh } from '@tabler/icons-react'
import { lazy, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { Batch } from '../../../service/web/app/types.ts'
import { SaveTo } from '../../destination/SaveTo.tsx'
import { isComplete, useDestination } from '../../destination/store.ts'
import { isOpen, useBatches } from '../../jobs/batches.ts'
import { hasOutput } from '../../jobs/output.ts'
import { saveAll } from '../../jobs/save.ts'
import { text } from '../../messages/text.ts'
import { usePresets } from '../../presets/store.ts'
import { useSession } from '../../session/session.ts'
import { duration, size } from '../../ui/format.ts'
import { Notice } from '../../ui/Notice.tsx'
import { notifyProblem } from '../../ui/notify.ts'
import { OnceOpened } from '../../ui/OnceOpened.tsx'
import { ProgressLine } from '../../ui/ProgressLine.tsx'
import { shortcutProps } from '../../ui/shortcuts.ts'
import { useAction } from '../../ui/useAction.ts'
import { useNow } from '../../ui/useNow.ts'
import { clearFinished, convertAll, retryRows } from '../state/actions.ts'
import type { Line } from '../state/layout.ts'
import type { Plan } from '../state/plan.ts'
import { presetNameOf } from '../state/presets.ts'
import { useRemoval } from '../state/removal.ts'
import { type Row, stageOf } from '../state/row.ts'
import { useTable } from '../state/store.ts'
import { type Totals, totalsOf } from '../state/totals.ts'
import { usePlan } from '../state/useLines.ts'
import classes from './BottomBar.module.css'
import { usePace } from './usePace.ts'

const TopUpDialog = lazy(async () => ({
  default: (await import('../../credits/TopUpDialog.tsx')).TopUpDialog,
}))

interface Props {
  lines: readonly Line[]
}

const outOfCredits = 'entitlements.insufficient_credits'

/** Destination, overall progress, and the main button. */
export function BottomBar({ lines }: Props) {
  const plan = usePlan()
  const saveTo = useDestination(state => state.value)
  const batches = useBatches(state => state.batches)
  const totals = useMemo(() => totalsOf(batches), [batches])
  const presets = usePresets(state => state.presets)
  const following = useTable(state => state.following)
  const preset = useMemo(
    () => presetNameOf(plan.parts[0]?.rows ?? [], presets, following),
    [plan, presets, following],
  )
  const { busy, act } = useAction()
  useEffect(() => void useDestination.getState().load(), [])
  const share = totals.open && totals.open.total > 0 ? totals.open.ended / totals.open.total : 0
  return (
    <footer className={classes.foot}>
      <Problems batches={batches} />
      <div className={classes.progress} data-shown={totals.open !== null || undefined}>
        {totals.open && <ProgressLine label={text('convert.progress')} percent={share * 100} />}
      </div>
      <div className={classes.bar}>
        <div className={classes.saveTo}>
          <SaveTo
            value={saveTo}
            onChange={useDestination.getState().change}
            example={exampleOf(plan)}
            preset={preset}
          />
        </div>
        <Status plan={plan} totals={totals} />
        <div className={classes.buttons}>
          {totals.open ? (
            <OpenActions batches={batches} paused={totals.open.paused} />
          ) : (
            <EndActions lines={lines} />
          )}
          <Button
            className={classes.convert}
            {...shortcutProps('convert')}
            disabled={plan.files === 0 || plan.hasProblems || !isComplete(saveTo)}
            loading={busy}
            onClick={() => void act(() => convertAll(plan))}
          >
            {text('convert.convertButton', { value: plan.files })}
          </Button>
        </div>
      </div>
    </footer>
  )
}

/** The first file that will be converted, and its target. */
function exampleOf({ parts }: Plan) {
  const [part] = parts
  const fileId = part?.rows[0]?.fileId
  return part && fileId ? { fileId, target: part.target } : null
}

/** Why batches were paused automatically. */
function Problems({ batches }: { batches: readonly Batch[] }) {
  const [toppingUp, setToppingUp] = useState(false)
  const { busy, act } = useAction()
  const stopped = batches.find(batch => isOpen(batch) && batch.problem)
  if (!stopped?.problem) return null
  return (
    <div className={classes.problems}>
      <Notice
        tone="attention"
        actions={
          stopped.problem.code === outOfCredits ? (
            <Button size="compact-sm" variant="default" onClick={() => setToppingUp(true)}>
              {text('credits.topUp')}
            </Button>
          ) : (
            <Button
              size="compact-sm"
              variant="default"
              disabled={busy}
              onClick={() => void act(() => useBatches.getState().resume(stopped.id))}
            >
              {text('convert.resume')}
            </Button>
          )
        }
      >
        <p>{stopped.problem.detail}</p>
      </Notice>
      <OnceOpened opened={toppingUp}>
        <TopUpDialog opened={toppingUp} onClose={() => setToppingUp(false)} />
      </OnceOpened>
    </div>
  )
}

function Status({ plan, totals }: { plan: Plan; totals: Totals }) {
  const undoable = useRemoval(state => state.undoable)
  const left = usePace(totals.open?.ended ?? 0, totals.open?.total ?? 0)
  return (
    <div className={`${classes.status} numbers`}>
      <p className={classes.main}>
        {undoable === null ? (
          mainLine(totals, left)
        ) : (
          <>
            <span role="status">{text('convert.removed', { value: undoable })}</span>
            <Button size="compact-xs" variant="light" onClick={() => useRemoval.getState().undo()}>
              {text('convert.undo')}
            </Button>
          </>
        )}
      </p>
      <NoteLine plan={plan} />
      <Announcement totals={totals} />
    </div>
  )
}

/** Announces the end of all conversions to screen readers. */
function Announcement({ totals }: { totals: Totals }) {
  const wasOpen = useRef(false)
  const [said, say] = useState('')
  const isOpen = totals.open !== null
  useEffect(() => {
    if (wasOpen.current && !isOpen) say(resultOf(totals))
    wasOpen.current = isOpen
  }, [isOpen, totals])
  return (
    <span className="hidden-text" role="status">
      {said}
    </span>
  )
}

/** The overall result in a sentence. */
function resultOf({ succeeded, failed }: Totals): string {
  if (failed === 0) return text('convert.finished', { done: succeeded })
  if (succeeded === 0) return text('convert.allFailed', { failed })
  return text('convert.finishedSomeFailed', { done: succeeded, failed })
}

/** The progress or the result. */
function mainLine(totals: Totals, left: number | null): ReactNode {
  const { open, succeeded, failed, savedBytes } = totals
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
  if (succeeded + failed === 0) return null
  return (
    <>
      <span data-tone={failed > 0 ? 'attention' : 'good'} className={classes.ended}>
        {resultOf(totals)}
      </span>
      {succeeded > 0 && savedBytes !== 0 && (
        <span className={classes.dim}>
          {savedBytes > 0
            ? text('convert.saved', { size: size(savedBytes) })
            : text('convert.grown', { size: size(-savedBytes) })}
        </span>
      )}
    </>
  )
}

/** What is still to be done, and its cost. */
function NoteLine({ plan }: { plan: Plan }) {
  const balance = useSession(state => state.balance)
  const [toppingUp, setToppingUp] = useState(false)
  const short = plan.credits - balance
  const parts: ReactNode[] = []
  if (plan.coming > 0) parts.push(text('convert.coming', { value: plan.coming }))
  if (plan.hasProblems) parts.push(text('convert.fixOptions'))
  if (plan.undecided > 0) parts.push(text('convert.undecided', { value: plan.undecided }))
  if (plan.files > 0) parts.push(text('convert.price', { value: plan.credits, balance }))
  return (
    <p className={classes.note}>
      {parts.join(' · ')}
      {plan.files > 0 && short > 0 && (
        <>
          <strong className={classes.short}>{text('convert.short', { value: short })}</strong>
          <Button size="compact-xs" variant="subtle" onClick={() => setToppingUp(true)}>
            {text('credits.topUp')}
          </Button>
          <OnceOpened opened={toppingUp}>
            <TopUpDialog opened={toppingUp} suggested={short} onClose={() => setToppingUp(false)} />
          </OnceOpened>
        </>
      )}
    </p>
  )
}

const icon = { size: 16, stroke: 1.8, 'aria-hidden': true } as const

/** Controls all open batches. */
function OpenActions({ batches, paused }: { batches: readonly Batch[]; paused: boolean }) {
  const { busy, act } = useAction()
  const { pause, resume, cancel } = useBatches.getState()
  const open = batches.filter(isOpen)
  const all = (action: (id: string) => Promise<void>) =>
    void act(() => Promise.all(open.map(({ id }) => action(id))))
  return (
    <>
      <Button size="sm" variant="subtle" color="gray" disabled={busy} onClick={() => all(cancel)}>
        {text('convert.cancelAll')}
      </Button>
      <Button
        size="sm"
        variant="default"
        disabled={busy}
        leftSection={paused ? <IconPlayerPlay {...icon} /> : <IconPlayerPause {...icon} />}
        {...shortcutProps('pause')}
        onClick={() => all(paused ? resume : pause)}
      >
        {text(paused ? 'convert.resume' : 'convert.pause')}
      </Button>
    </>
  )
}

interface Ended {
  failed: Row[]
  /** Results that can be downloaded and were not saved. */
  kept: Row[]
  any: boolean
}

function endedOf(rows: Iterable<Row>, hidden: ReadonlySet<string>, now: number): Ended {
  const ended: Ended = { failed: [], kept: [], any: false }
  for (const row of rows) {
    if (hidden.has(row.key)) continue
    const stage = stageOf(row)
    if (stage === 'failed') ended.failed.push(row)
    else if (stage === 'done' && row.item?.job && row.item.savedTo === null && hasOutput(row.item.job, now)) {
      ended.kept.push(row)
    }
    ended.any ||= stage === 'done' || stage === 'failed' || stage === 'canceled'
  }
  return ended
}

/** Actions for everything that is finished. */
function EndActions({ lines }: Props) {
  const rows = useTable(state => state.rows)
  const hidden = useRemoval(state => state.hidden)
  const now = useNow()
  const { failed, kept, any } = useMemo(() => endedOf(rows.values(), hidden, now), [rows, hidden, now])
  const save = () => saveAll(kept.flatMap(({ item }) => item?.job ?? [])).catch(notifyProblem)
  return (
    <>
      {any && (
        <Button size="sm" variant="subtle" color="gray" onClick={() => clearFinished(lines)}>
          {text('convert.clearFinished')}
        </Button>
      )}
      {failed.length > 0 && (
        <Button
          size="sm"
          variant="default"
          leftSection={<IconRefresh {...icon} />}
          onClick={() => void retryRows(failed.map(({ key }) => key))}
        >
          {text('convert.retryFailed')}
        </Button>
      )}
      {kept.length > 1 && (
        <Button
          size="sm"
          variant="default"
          leftSection={<IconDownload {...icon} />}
          onClick={() => void save()}
        >
          {text('convert.downloadAll')}
        </Button>
      )}
    </>
  )
}
