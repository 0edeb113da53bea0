import { Button } from '@mantine/core'
import {
  IconDownload,
  IconExternalLink,
  IconFolderSearch,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
} from '@tabler/icons-react'
import { lazy, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { Batch } from '../../../service/web/app/types.ts'
import { desktop } from '../../api/desktop.ts'
import { SaveTo } from '../../destination/SaveTo.tsx'
import { isComplete, useDestination } from '../../destination/store.ts'
import type { Example } from '../../destination/useCheck.ts'
import { saveAll } from '../../jobs/save.ts'
import { batchList, isOpen, useJobs } from '../../jobs/store.ts'
import { text } from '../../messages/text.ts'
import { usePresets } from '../../presets/store.ts'
import { isMember, useSession } from '../../session/session.ts'
import { duration, size } from '../../ui/format.ts'
import { Notice } from '../../ui/Notice.tsx'
import { notifyProblem } from '../../ui/notify.ts'
import { OnceOpened } from '../../ui/OnceOpened.tsx'
import { ProgressLine } from '../../ui/ProgressLine.tsx'
import { shortcutProps } from '../../ui/shortcuts.ts'
import { useAction } from '../../ui/useAction.ts'
import { useNow } from '../../ui/useNow.ts'
import { clearFinished, retryRows } from '../state/actions.ts'
import { convertAll } from '../state/converting.ts'
import { type Ending, endingOf } from '../state/ending.ts'
import { isExpecting, useJoining } from '../state/joining.ts'
import type { Line } from '../state/layout.ts'
import { isPossible, type Plan } from '../state/plan.ts'
import { presetNameOf } from '../state/presets.ts'
import { useRemoval } from '../state/removal.ts'
import { useTable } from '../state/store.ts'
import { type Totals, totalsOf } from '../state/totals.ts'
import { shown } from '../state/useLines.ts'
import { usePlan } from '../state/usePlan.ts'
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
  const batches = useJobs(batchList)
  const joining = useJoining(state => state.waiting.size)
  const totals = useMemo(() => totalsOf(batches, joining), [batches, joining])
  const ending = useEnding()
  const hasEnded =
    ending.any && !totals.open && plan.files + plan.coming.length + plan.undecided + plan.tooLarge === 0
  const presets = usePresets(state => state.presets)
  const following = useTable(state => state.following)
  const preset = useMemo(
    () => presetNameOf(plan.parts[0]?.rows ?? [], presets, following),
    [plan, presets, following],
  )
  const example = useExample(plan)
  const member = useSession(isMember)
  const { busy, act } = useAction()
  const share = totals.open && totals.open.total > 0 ? totals.open.ended / totals.open.total : 0
  return (
    <footer className={classes.foot}>
      <Problems batches={batches} />
      <div className={classes.progress} data-shown={totals.open !== null || undefined}>
        {totals.open && <ProgressLine label={text('convert.progress')} percent={share * 100} />}
      </div>
      <div className={classes.bar}>
        <div className={classes.saveTo}>
          {!member && (
            <SaveTo
              value={saveTo}
              onChange={useDestination.getState().change}
              example={example}
              preset={preset}
            />
          )}
        </div>
        <Status plan={plan} totals={totals} ending={hasEnded ? ending : null} />
        <div className={classes.buttons}>
          {totals.open ? (
            <OpenActions batches={batches} paused={totals.open.paused} />
          ) : (
            <EndActions lines={lines} ending={ending} isOver={hasEnded} />
          )}
          {hasEnded ? (
            <Button className={classes.convert} onClick={() => clearFinished(lines)}>
              {text('convert.convertMore')}
            </Button>
          ) : (
            <Button
              className={classes.convert}
              {...shortcutProps('convert')}
              disabled={!isPossible(plan) || !isComplete(saveTo)}
              loading={busy}
              onClick={() => void act(() => convertAll(plan))}
            >
              {text('convert.convertButton', { value: plan.files + plan.coming.length })}
            </Button>
          )}
        </div>
      </div>
    </footer>
  )
}

/** The first file that will be converted, or else the first with a target: its result is the example of a name. */
function useExample({ parts }: Plan): Example | null {
  const rows = useTable(state => state.rows)
  const found = parts[0]?.rows[0] ?? rows.values().find(row => row.fileId !== null && row.target !== null)
  return found?.fileId && found.target ? { fileId: found.fileId, target: found.target } : null
}

/** Why batches were paused automatically. */
function Problems({ batches }: { batches: readonly Batch[] }) {
  const [toppingUp, setToppingUp] = useState(false)
  const member = useSession(isMember)
  const { busy, act } = useAction()
  const stopped = batches.find(batch => isOpen(batch) && batch.problem)
  if (!stopped?.problem) return null
  return (
    <div className={classes.problems}>
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

function Status({ plan, totals, ending }: { plan: Plan; totals: Totals; ending: Ending | null }) {
  const undoable = useRemoval(state => state.undoable)
  const left = usePace(totals.open?.ended ?? 0, totals.open?.total ?? 0)
  return (
    <div className={`${classes.status} numbers`}>
      <p className={classes.main}>
        {undoable === null ? (
          mainLine(totals, left, ending)
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
  const [announcement, announce] = useState('')
  // Between two batches of one press nothing may be open.
  const isExpected = useJoining(isExpecting)
  const isOpen = totals.open !== null || isExpected
  useEffect(() => {
    if (wasOpen.current && !isOpen) announce(resultOf(totals))
    wasOpen.current = isOpen
  }, [isOpen, totals])
  return (
    <span className="hidden-text" role="status">
      {announcement}
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
function mainLine(totals: Totals, left: number | null, ending: Ending | null): ReactNode {
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
        {ending ? (savedText(ending) ?? resultOf(totals)) : resultOf(totals)}
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
function NoteLine({ plan }: { plan: Plan }) {
  const balance = useSession(state => state.balance)
  const counts = useSession(({ session }) => session?.autoTopUp === false)
  const [toppingUp, setToppingUp] = useState(false)
  const member = useSession(isMember)
  const short = plan.credits - balance
  const parts: ReactNode[] = []
  if (plan.coming.length > 0) parts.push(text('convert.coming', { value: plan.coming.length }))
  if (plan.hasProblems) parts.push(text('convert.fixOptions'))
  if (plan.undecided > 0) parts.push(text('convert.undecided', { value: plan.undecided }))
  if (counts && plan.files > 0) parts.push(text('convert.price', { value: plan.credits, balance }))
  return (
    <p className={classes.note}>
      {parts.join(' · ')}
      {counts && plan.files > 0 && short > 0 && (
        <>
          <strong className={classes.short}>{text('convert.short', { value: short })}</strong>
          {!member && (
            <Button size="compact-xs" variant="subtle" onClick={() => setToppingUp(true)}>
              {text('credits.topUp')}
            </Button>
          )}
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
  const { pause, resume, cancelBatch } = useJobs.getState()
  const open = batches.filter(isOpen)
  const all = (action: (id: string) => Promise<void>) =>
    void act(() => Promise.all(open.map(({ id }) => action(id))))
  const cancelAll = () => {
    useJoining.getState().stop()
    all(cancelBatch)
  }
  return (
    <>
      <Button size="sm" variant="subtle" color="gray" disabled={busy} onClick={cancelAll}>
        {text('convert.cancelAll')}
      </Button>
      <Button
        size="sm"
        variant="default"
        disabled={busy || open.length === 0}
        leftSection={paused ? <IconPlayerPlay {...icon} /> : <IconPlayerPause {...icon} />}
        {...shortcutProps('pause')}
        onClick={() => all(paused ? resume : pause)}
      >
        {text(paused ? 'convert.resume' : 'convert.pause')}
      </Button>
    </>
  )
}

/** What all visible rows have come to. */
function useEnding(): Ending {
  const rows = useTable(state => state.rows)
  const hidden = useRemoval(state => state.hidden)
  const now = useNow()
  return useMemo(() => endingOf(shown(rows, hidden), now), [rows, hidden, now])
}

interface EndProps extends Props {
  ending: Ending
  /** Whether nothing is left to be converted. */
  isOver: boolean
}

/** Actions for everything that is finished. */
function EndActions({ lines, ending, isOver }: EndProps) {
  const { failed, kept, saved, any } = ending
  const { reveal, openOutput } = desktop()
  const [first] = saved
  const only = saved.length === 1 ? first : undefined
  // A browser cannot open a folder, so everything can be downloaded, saved or not.
  const results = reveal ? kept : [...kept, ...saved.filter(({ isKept }) => isKept)]
  const run = (action: Promise<unknown>) => void action.catch(notifyProblem)
  return (
    <>
      {any && !isOver && (
        <Button size="sm" variant="subtle" color="gray" onClick={() => clearFinished(lines)}>
          {text('convert.clearFinished')}
        </Button>
      )}
      {failed.length > 0 && (
        <Button
          size="sm"
          variant="default"
          leftSection={<IconRefresh {...icon} />}
          onClick={() => void retryRows(failed)}
        >
          {text('convert.retryFailed')}
        </Button>
      )}
      {isOver && only && openOutput && (
        <Button
          size="sm"
          variant="default"
          leftSection={<IconExternalLink {...icon} />}
          onClick={() => run(openOutput(only.job.id))}
        >
          {text('convert.openResult')}
        </Button>
      )}
      {isOver && first && reveal && (
        <Button
          size="sm"
          variant="default"
          leftSection={<IconFolderSearch {...icon} />}
          onClick={() => run(reveal(first.path))}
        >
          {text('convert.showFolder')}
        </Button>
      )}
      {results.length > (isOver ? 0 : 1) && (
        <Button
          size="sm"
          variant="default"
          leftSection={<IconDownload {...icon} />}
          onClick={() => run(saveAll(results.map(({ job }) => job)))}
        >
          {text(results.length > 1 ? 'convert.downloadAll' : 'convert.downloadOne')}
        </Button>
      )}
    </>
  )
}
