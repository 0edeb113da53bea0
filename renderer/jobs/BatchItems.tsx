import { ActionIcon, Button, Loader } from '@mantine/core'
import { IconArrowBarToUp } from '@tabler/icons-react'
import type { Batch, BatchItem } from '../../service/app/types.ts'
import { text } from '../messages/text.ts'
import { size } from '../ui/format.ts'
import { Notice } from '../ui/Notice.tsx'
import { tellProblem } from '../ui/notify.ts'
import classes from './BatchItems.module.css'
import { isOpen } from './batches.ts'
import { useItems } from './items.ts'
import { JobRow, sourceLabel } from './JobRow.tsx'
import { PairTags } from './PairTags.tsx'
import { useJobs } from './store.ts'

interface Props {
  batch: Batch
  name: string
  category: string | null
  id: string
}

/** The files of a batch in their order, each as its job once it has one. */
export function BatchItems({ batch, name, category, id }: Props) {
  const list = useItems(state => state.lists.get(batch.id))
  const jobs = useJobs(state => state.jobs)
  if (!list) return null
  const { more, changed, moveToFront } = useItems.getState()
  const firstWaiting = list.items.find(item => item.state === 'waiting')
  const toFront = isOpen(batch)
    ? (item: BatchItem) => void moveToFront(batch.id, item.id).catch(tellProblem)
    : null
  return (
    <div id={id}>
      <ul className={classes.rows} aria-label={text('batches.filesOf', { name })}>
        {list.items.map(item =>
          item.job ? (
            <JobRow
              key={item.id}
              job={jobs.get(item.job.id) ?? item.job}
              problem={item.state === 'succeeded' ? item.error?.detail : undefined}
              onRemoved={() => changed(batch.id)}
            />
          ) : (
            <ItemRow
              key={item.id}
              item={item}
              source={batch.source}
              target={batch.targetLabel}
              category={category}
              onToFront={item.state === 'waiting' && item !== firstWaiting ? toFront : null}
            />
          ),
        )}
      </ul>
      <div className={classes.foot}>
        {list.status === 'loading' && <Loader size="sm" role="status" aria-label={text('common.loading')} />}
        {list.status === 'more' && (
          <Button size="xs" variant="default" onClick={() => void more(batch.id)}>
            {text('batches.moreFiles')}
          </Button>
        )}
        {list.status === 'failed' && (
          <Notice
            tone="danger"
            title={text('errors.loadFailed')}
            actions={
              <Button size="compact-sm" variant="default" onClick={() => void more(batch.id)}>
                {text('common.tryAgain')}
              </Button>
            }
          />
        )}
      </div>
    </div>
  )
}

interface ItemProps {
  item: BatchItem
  source: string
  target: string
  category: string | null
  /** Has the file converted next; null where that makes no sense. */
  onToFront: ((item: BatchItem) => void) | null
}

/** A file that is not a job: it waits, was canceled before, or was refused. */
function ItemRow({ item, source, target, category, onToFront }: ItemProps) {
  const { name, relativePath, bytes, state, error } = item
  return (
    <li className={classes.item} aria-label={name} data-state={state}>
      <PairTags from={sourceLabel({ inputName: name, source })} to={target} category={category} />
      <span className={classes.words}>
        <span className={classes.name} title={relativePath ?? name}>
          {relativePath ?? name}
        </span>
        <span className={`${classes.state} numbers`}>
          {text(`batches.itemStates.${state}`)} · {size(bytes)}
        </span>
        {error && <span className={classes.problem}>{error.detail}</span>}
      </span>
      {onToFront && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={text('batches.convertNext', { name })}
          title={text('batches.convertNext', { name })}
          onClick={() => onToFront(item)}
        >
          <IconArrowBarToUp size={17} stroke={1.8} aria-hidden="true" />
        </ActionIcon>
      )}
    </li>
  )
}
