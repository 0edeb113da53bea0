import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { subjectOf } from '../../actions/action.ts'
import { convert as convertAction } from '../../actions/convert.ts'
import { SaveTo } from '../../destination/SaveTo.tsx'
import { possible, useDestination } from '../../destination/store.ts'
import type { Example } from '../../destination/useCheck.ts'
import { useFolderChoice } from '../../destination/useFolderChoice.tsx'
import { batchList } from '../../jobs/conversions.ts'
import { useJobs } from '../../jobs/store.ts'
import { text } from '../../messages/text.ts'
import { usePresets } from '../../presets/store.ts'
import { isMember, useSession } from '../../session/session.ts'
import { ProgressLine } from '../../ui/ProgressLine.tsx'
import { shortcutProps } from '../../ui/shortcuts.ts'
import { useAction } from '../../ui/useAction.ts'
import { useNow } from '../../ui/useNow.ts'
import { filesOf, isPossible, type Plan } from '../state/choose/plan.ts'
import { presetNameOf } from '../state/choose/presets.ts'
import { usePlan } from '../state/choose/usePlan.ts'
import { useJoining } from '../state/join/joining.ts'
import type { Line } from '../state/rows/layout.ts'
import { useRemoval } from '../state/rows/removal.ts'
import { shown } from '../state/rows/useLines.ts'
import { useTable } from '../state/store.ts'
import { type Ending, endingOf } from '../state/submit/ending.ts'
import { totalsOf } from '../state/submit/totals.ts'
import { EndActions, OpenActions } from './Actions.tsx'
import classes from './BottomBar.module.css'
import { Problems } from './Problems.tsx'
import { Status } from './Status.tsx'

/** Destination, overall progress, and the main button. */
export function BottomBar({ lines }: { lines: readonly Line[] }) {
  const plan = usePlan()
  const saveTo = possible(useDestination(state => state.value))
  const batches = useJobs(batchList)
  const joining = useJoining(state => state.waiting.size)
  const totals = useMemo(() => totalsOf(batches, joining), [batches, joining])
  const ending = useEnding()
  const hasEnded = ending.any && !totals.open && filesOf(plan) + plan.undecided.length + plan.tooLarge === 0
  const presets = usePresets(state => state.presets)
  const following = useTable(state => state.following)
  const preset = useMemo(
    () => presetNameOf(plan.parts[0]?.rows ?? [], presets, following),
    [plan, presets, following],
  )
  const example = useExample(plan)
  const member = useSession(isMember)
  const { busy, act } = useAction()
  const convert = () => void act(convertAction.do)
  const { choose, dialog } = useFolderChoice({
    start: saveTo.folder,
    confirm: text('convert.intoThisFolder'),
    onChoose: folder => {
      useDestination.getState().change({ ...saveTo, kind: 'folder', folder })
      convert()
    },
  })
  // Whoever saves to a folder already, or is asked for one, needs no second way.
  const offersFolder = !member && (saveTo.kind === 'keep' || saveTo.kind === 'beside')
  const share = totals.open && totals.open.total > 0 ? totals.open.ended / totals.open.total : 0
  return (
    <footer className={classes.foot}>
      <Problems batches={batches} />
      <div className={classes.progress} data-shown={totals.open !== null || undefined}>
        {totals.open && <ProgressLine label={text('convert.progress')} percent={share * 100} />}
      </div>
      <div className={classes.bar}>
        {!member && (
          <div className={classes.place}>
            <SaveTo
              value={saveTo}
              onChange={useDestination.getState().change}
              example={example}
              preset={preset}
            />
          </div>
        )}
        <Status {...{ plan, totals, lines }} ending={hasEnded ? ending : null} ended={ending} />
        <div className={classes.buttons}>
          {totals.open ? (
            <OpenActions on={subjectOf([], lines)} />
          ) : (
            <EndActions on={subjectOf([], lines, ending, hasEnded)} />
          )}
          {offersFolder && !totals.open && isPossible(plan) && (
            <Button variant="default" disabled={busy} onClick={choose}>
              {text('convert.intoFolder')}
            </Button>
          )}
          {!hasEnded && (
            <Button
              miw={148}
              {...shortcutProps(convertAction)}
              disabled={!isPossible(plan)}
              loading={busy}
              onClick={convert}
            >
              {text('convert.convertButton', { value: filesOf(plan) })}
            </Button>
          )}
        </div>
      </div>
      {dialog}
    </footer>
  )
}

/** The first file that will be converted, or else the first with a target: its result is the example of a name. */
function useExample({ parts }: Plan): Example | null {
  const rows = useTable(state => state.rows)
  const found = parts[0]?.rows[0] ?? rows.values().find(row => row.fileId !== null && row.target !== null)
  return found?.fileId && found.target ? { fileId: found.fileId, target: found.target } : null
}

/** What all visible rows have come to. */
function useEnding(): Ending {
  const rows = useTable(state => state.rows)
  const hidden = useRemoval(state => state.hidden)
  const now = useNow()
  return useMemo(() => endingOf(shown(rows, hidden), now), [rows, hidden, now])
}
