import { Button } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useId } from 'react'
import type { AppJob, Batch } from '../../service/app/types.ts'
import { desktop } from '../api/desktop.ts'
import { text } from '../messages/text.ts'
import { tellProblem } from '../ui/notify.ts'
import { ProgressLine } from '../ui/ProgressLine.tsx'
import { BatchActions } from './BatchActions.tsx'
import classes from './BatchCard.module.css'
import { BatchCounts } from './BatchCounts.tsx'
import { BatchItems } from './BatchItems.tsx'
import { BatchProblem } from './BatchProblem.tsx'
import { isOpen } from './batches.ts'
import { useItems } from './items.ts'
import { JobRow } from './JobRow.tsx'
import { PairTags } from './PairTags.tsx'
import { secondsLeft, shareOf } from './progress.ts'

interface Props {
  batch: Batch
  /** The jobs of this batch that the page knows. */
  jobs: readonly AppJob[]
  category: string | null
  /** Where it stands among the open batches. */
  place: 'only' | 'first' | 'middle' | 'last' | null
}

/** Name of a batch for people, such as `40 PNG to WebP`. */
export const nameOf = ({ counts, source, targetLabel }: Batch): string =>
  text('batches.label', { total: counts.total, from: source.toUpperCase(), to: targetLabel })

/** One batch: how far it is, what can be done with it, and its files on demand. */
export function BatchCard({ batch, jobs, category, place }: Props) {
  const listId = useId()
  const unfolded = useItems(state => state.lists.has(batch.id))
  const { open, close } = useItems.getState()
  const name = nameOf(batch)
  const active = isOpen(batch)
  const running = active ? jobs.filter(job => job.status === 'Running') : []

  return (
    <article className={classes.card} aria-label={name} data-state={batch.state}>
      <header className={classes.head}>
        <PairTags from={batch.source.toUpperCase()} to={batch.targetLabel} category={category} />
        <div className={classes.words}>
          <h3 className={`${classes.title} numbers`}>
            {text('batches.files', { value: batch.counts.total })}
          </h3>
          <BatchCounts batch={batch} left={secondsLeft(batch, jobs)} />
        </div>
        <BatchActions batch={batch} jobs={jobs} name={name} place={place} />
      </header>
      {active && (
        <div className={classes.progress}>
          <ProgressLine label={text('batches.progress', { name })} percent={shareOf(batch, jobs) * 100} />
        </div>
      )}
      <BatchProblem batch={batch} />
      {!unfolded && running.length > 0 && (
        <ul className={classes.rows} aria-label={text('jobs.sections.now')}>
          {running.map(job => (
            <JobRow key={job.id} job={job} />
          ))}
        </ul>
      )}
      {unfolded && <BatchItems batch={batch} name={name} category={category} id={listId} />}
      <footer className={classes.foot}>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          aria-expanded={unfolded}
          aria-controls={unfolded ? listId : undefined}
          aria-label={text('batches.named', {
            verb: unfolded ? text('batches.hideFiles') : text('batches.showFiles'),
            name,
          })}
          onClick={() => (unfolded ? close(batch.id) : void open(batch.id))}
        >
          {unfolded ? text('batches.hideFiles') : text('batches.showFiles')}
        </Button>
        <SavedTo batch={batch} />
      </footer>
    </article>
  )
}

/** The folder the results go to, which the desktop shell can show. */
function SavedTo({ batch }: { batch: Batch }) {
  const { destination, counts } = batch
  if (destination.kind !== 'folder') return null
  const { path } = destination
  const { reveal } = desktop()
  const words = isOpen(batch)
    ? text('batches.savingTo', { folder: path })
    : text('batches.savedTo', { folder: path })
  const label = (
    <>
      <IconFolder size={16} stroke={1.8} aria-hidden="true" />
      <span className={classes.path}>{words}</span>
    </>
  )
  if (!reveal || counts.succeeded === 0) return <span className={classes.folder}>{label}</span>
  return (
    <button
      type="button"
      className={classes.folder}
      title={text('batches.showFolder', { folder: path })}
      onClick={() => void reveal(path).catch(tellProblem)}
    >
      {label}
    </button>
  )
}
