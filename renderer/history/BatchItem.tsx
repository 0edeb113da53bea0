import { Button } from '@mantine/core'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import { memo, useId, useState } from 'react'
import type { AppJob, HistoryRow } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { resultOf } from '../convert/state/submit/totals.ts'
import { JobRow } from '../jobs/JobRow.tsx'
import { hasOutput } from '../jobs/output.ts'
import { saveAll } from '../jobs/save.ts'
import { inLine, text } from '../messages/text.ts'
import { ago, size } from '../ui/format.ts'
import { IconAction } from '../ui/IconAction.tsx'
import { useAction } from '../ui/useAction.ts'
import { useNow } from '../ui/useNow.ts'
import { remove } from './HistoryActions.tsx'
import { HistoryPages } from './HistoryPages.tsx'
import classes from './HistoryView.module.css'

/** As many as the service gives at once. */
const PAGE = 200

/** All results of a batch that can be saved. */
async function resultsOf(batchId: string): Promise<AppJob[]> {
  const jobs: AppJob[] = []
  let before: string | null = null
  do {
    const page = await api.history({ batchId, state: 'succeeded' }, { before, limit: PAGE })
    jobs.push(...page.items.filter(job => hasOutput(job, Date.now())))
    before = page.next
  } while (before !== null)
  return jobs
}

/** The files of one batch, of which the newest stands for all until they are listed. */
export const BatchItem = memo(function BatchItem({ row }: { row: HistoryRow }) {
  const id = useId()
  const now = useNow()
  const { busy, act } = useAction()
  const [isOpen, setOpen] = useState(false)
  const { batch, batchId } = row
  if (!batch || batchId === null) return null
  const name = text('history.andMore', { name: row.inputName, others: batch.files - 1 })
  const files = text('convert.resultFiles', { value: batch.files })
  const sizes = { before: size(batch.inputBytes), after: size(batch.outputBytes) }
  const facts = [
    resultOf({ ...batch, canceled: row.finishedAt ? batch.files - batch.succeeded - batch.failed : 0 }),
    batch.succeeded > 0 && text('jobs.sizes', sizes),
    ago(row.finishedAt ?? row.createdAt, now),
  ]
  return (
    <JobRow
      job={row}
      name={name}
      facts={<p className="fine numbers">{inLine(facts)}</p>}
      className={classes.row}
      notes={
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-label={text('history.showAttempts', { attempts: files, name })}
          onClick={() => setOpen(!isOpen)}
        >
          {files}
        </Button>
      }
      actions={
        <div className={classes.actions}>
          <div className={classes.buttons}>
            {batch.kept > 0 && (
              <Button
                size="xs"
                variant="light"
                loading={busy}
                leftSection={<IconDownload size={16} stroke={1.9} aria-hidden="true" />}
                aria-label={text('history.saveAllOf', { name })}
                onClick={() => void act(async () => saveAll(await resultsOf(batchId)))}
              >
                {text('history.saveAll')}
              </Button>
            )}
          </div>
          <div className={classes.icons}>
            <IconAction
              label={text('history.remove', { name })}
              disabled={busy}
              symbol={<IconTrash size={18} stroke={1.8} aria-hidden="true" />}
              onClick={() => remove(row.id, name)}
            />
          </div>
        </div>
      }
    >
      {isOpen && (
        <div id={id} className={classes.files}>
          <HistoryPages query={JSON.stringify({ batchId })} label={name} />
        </div>
      )}
    </JobRow>
  )
})
