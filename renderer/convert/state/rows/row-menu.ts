/** What can be done with rows, as the entries of a menu. */
import { desktop } from '../../../api/desktop.ts'
import { saveAll } from '../../../jobs/save.ts'
import { text } from '../../../messages/text.ts'
import { notifyProblem } from '../../../ui/notifications/notify.ts'
import { removeRows, repeatRows, retryRows } from '../actions.ts'
import { endingOf } from '../submit/ending.ts'
import type { Line } from './layout.ts'
import { useLook } from './looking.ts'
import { isUnderWay, type Row, stageOf } from './row.ts'

export interface MenuEntry {
  label: string
  run(): void
}

const run = (action: Promise<unknown> | undefined) => void action?.catch(notifyProblem)

/** The entries for these rows, in groups. */
export function entriesFor(rows: readonly Row[], lines: readonly Line[]): MenuEntry[][] {
  const { openOutput, reveal } = desktop()
  const [only] = rows.length === 1 ? rows : []
  const { kept, saved } = endingOf(rows, Date.now())
  const [result] = only ? saved : []
  const stopped = rows.filter(row => ['failed', 'canceled'].includes(stageOf(row))).map(({ key }) => key)
  const groups: (MenuEntry | false | undefined)[][] = [
    [
      only !== undefined &&
        only.fileId !== null && {
          label: text('convert.look'),
          run: () => useLook.getState().show(only.key),
        },
      result &&
        openOutput && {
          label: text('convert.openResult'),
          run: () => run(openOutput(result.job.id)),
        },
      result && reveal && { label: text('convert.showFolder'), run: () => run(reveal(result.path)) },
      kept.length > 0 && {
        label: text('convert.downloadOne'),
        run: () => run(saveAll(kept.map(({ job }) => job))),
      },
    ],
    [
      stopped.length > 0 && { label: text('common.tryAgain'), run: () => run(retryRows(stopped)) },
      rows.every(({ fileId, file }) => fileId !== null && file !== null) && {
        label: text('convert.another', { files: rows.length }),
        run: () => run(repeatRows(rows)),
      },
    ],
    [
      {
        label: text(rows.every(isUnderWay) ? 'convert.cancelAll' : 'convert.remove'),
        run: () =>
          removeRows(
            rows.map(({ key }) => key),
            lines,
          ),
      },
    ],
  ]
  return groups
    .map(group => group.filter(entry => entry !== false && entry !== undefined))
    .filter(({ length }) => length > 0)
}
