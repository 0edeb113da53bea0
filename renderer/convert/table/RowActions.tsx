import {
  IconDeviceFloppy,
  IconDownload,
  IconExternalLink,
  IconFolderSearch,
  IconLayoutColumns,
  IconRefresh,
  IconX,
} from '@tabler/icons-react'
import { api } from '../../api/client.ts'
import { desktop } from '../../api/desktop.ts'
import { hasOutput, resultName } from '../../jobs/output.ts'
import { outputUrl } from '../../jobs/save.ts'
import { text } from '../../messages/text.ts'
import { notifyProblem } from '../../ui/notifications/notify.ts'
import { useNow } from '../../ui/useNow.ts'
import { removeRows, retryRows } from '../state/actions.ts'
import type { Line } from '../state/rows/layout.ts'
import { useLook } from '../state/rows/looking.ts'
import { isUnderWay, type Row, stageOf } from '../state/rows/row.ts'
import { useView } from '../state/rows/view.ts'
import { RowButton, RowLink } from './RowButton.tsx'

interface Props {
  row: Row
  lines: readonly Line[]
  tabIndex: number
}

const icon = { size: 18, stroke: 1.7, 'aria-hidden': true } as const
const run = (action: Promise<unknown> | undefined) => void action?.catch(notifyProblem)

/** The actions available for a file in its current state; the last one removes it. */
export function RowActions({ row, lines, tabIndex }: Props) {
  const now = useNow()
  const { key, item, name } = row
  const stage = stageOf(row)
  const { openOutput, reveal, saveOutput } = desktop()
  const job = item?.job
  const savedTo = item?.savedTo ?? null
  const result = (job && resultName({ ...job, savedTo })) ?? name
  const isKept = job != null && hasOutput(job, now)
  const shown = stage === 'done'
  const isTaken = item?.error?.code === 'destination.taken'
  const unsaved = isTaken && item.id !== null ? { batchId: item.batchId, id: item.id } : null
  return (
    <>
      {shown && isKept && (
        <RowButton
          label={text('convert.compare', { name: result })}
          symbol={<IconLayoutColumns {...icon} />}
          tabIndex={tabIndex}
          quiet
          onClick={() => useLook.getState().show(key)}
        />
      )}
      {shown && savedTo !== null && openOutput && job && (
        <RowButton
          label={text('convert.open', { name: result })}
          symbol={<IconExternalLink {...icon} />}
          tabIndex={tabIndex}
          onClick={() => run(openOutput(job.id))}
        />
      )}
      {shown && unsaved && (
        <RowButton
          label={text('convert.saveNumbered', { name: result })}
          symbol={<IconDeviceFloppy {...icon} />}
          tabIndex={tabIndex}
          onClick={() => run(api.saveItem(unsaved.batchId, unsaved.id))}
        />
      )}
      {shown && savedTo !== null && reveal && (
        <RowButton
          label={text('convert.showInFolder', { name: result })}
          symbol={<IconFolderSearch {...icon} />}
          tabIndex={tabIndex}
          primary
          onClick={() => run(reveal(savedTo))}
        />
      )}
      {shown && savedTo === null && isKept && (
        <RowLink
          label={text('convert.download', { name: result })}
          symbol={<IconDownload {...icon} />}
          tabIndex={tabIndex}
          primary
          href={outputUrl(job.id)}
          download={result}
          onClick={event => {
            if (!saveOutput) return
            event.preventDefault()
            run(saveOutput(job.id, result))
          }}
        />
      )}
      {(stage === 'failed' || stage === 'canceled') && (
        <RowButton
          label={text('convert.retry', { name })}
          symbol={<IconRefresh {...icon} />}
          tabIndex={tabIndex}
          primary
          onClick={() => void retryRows([key])}
        />
      )}
      <RowButton
        label={text(isUnderWay(row) ? 'convert.cancelFile' : 'convert.removeFile', { name })}
        symbol={<IconX {...icon} />}
        tabIndex={tabIndex}
        quiet={!isUnderWay(row)}
        onClick={() => {
          if (useView.getState().cursor !== key) useView.getState().go(lines, key, { focus: false })
          removeRows([key], lines)
        }}
      />
    </>
  )
}
