import { type Action, perform, possible, subjectOf } from '../../actions/action.ts'
import { download } from '../../actions/download.ts'
import { look } from '../../actions/look.ts'
import { openResult } from '../../actions/open-result.ts'
import { remove } from '../../actions/remove.ts'
import { rename } from '../../actions/rename.ts'
import { retry } from '../../actions/retry.ts'
import { saveNumbered } from '../../actions/save-numbered.ts'
import { showInFolder } from '../../actions/show-in-folder.ts'
import { desktop } from '../../api/desktop.ts'
import { hasOutput, resultName } from '../../jobs/output.ts'
import { outputUrl } from '../../jobs/save.ts'
import { text } from '../../messages/text.ts'
import { useNow } from '../../ui/useNow.ts'
import type { Line } from '../state/rows/layout.ts'
import { isUnderWay, type Row, stageOf } from '../state/rows/row.ts'
import { useView } from '../state/rows/view.ts'
import { endingOf } from '../state/submit/ending.ts'
import { RowButton } from './RowButton.tsx'

const icon = { size: 18, stroke: 1.7, 'aria-hidden': true } as const

/** What Enter does, if it can be done. */
const primary: readonly Action[] = [showInFolder, download, retry]

/** The actions available for a file in its current state; the last one removes it. */
export function RowActions({ row, lines, tabIndex }: { row: Row; lines: readonly Line[]; tabIndex: number }) {
  const now = useNow()
  const { key, item, name } = row
  const job = item?.job
  const result = (job && resultName({ ...job, savedTo: item?.savedTo ?? null })) ?? name
  const on = subjectOf([row], lines, endingOf([row], now))
  const isKept = stageOf(row) === 'done' && job != null && hasOutput(job, now)
  const offered = [...(isKept ? [look] : []), rename, openResult, saveNumbered, showInFolder, download, retry]
  return (
    <>
      {possible(offered, on).map(action => {
        const { Icon = () => null, nameFor = () => action.name(on) } = action
        const shared = {
          label: nameFor(action === retry ? name : result),
          symbol: <Icon {...icon} />,
          tabIndex,
          primary: primary.includes(action),
        }
        // A link, since it can also be dragged to a folder. The shell saves without a dialog of the browser.
        return action === download && job && !desktop().saveOutput ? (
          <RowButton key="download" {...shared} link={{ href: outputUrl(job.id), download: result }} />
        ) : (
          <RowButton
            key={shared.label}
            {...shared}
            quiet={action === look || action === rename}
            onClick={() => void perform(action, on)}
          />
        )
      })}
      <RowButton
        label={text(isUnderWay(row) ? 'jobs.cancel' : 'convert.removeFile', { name })}
        symbol={<remove.Icon {...icon} />}
        tabIndex={tabIndex}
        quiet={!isUnderWay(row)}
        onClick={() => {
          if (useView.getState().cursor !== key) useView.getState().go(lines, key, { focus: false })
          void perform(remove, on)
        }}
      />
    </>
  )
}
