import { Button } from '@mantine/core'
import { text } from '../messages/text.ts'
import { size } from '../ui/format.ts'
import { ProgressLine } from '../ui/ProgressLine.tsx'
import classes from './Intake.module.css'
import { type Entry, useConvert } from './store.ts'

interface Props {
  entries: ReadonlyMap<string, Entry>
}

/** What is being read right now, while files are on their way in. */
export function Intake({ entries }: Props) {
  const remove = useConvert(state => state.remove)
  const all = [...entries.values()]
  const open = all.filter(entry => entry.phase !== 'staged' && entry.phase !== 'failed')
  if (open.length === 0) return null
  const current = open.filter(entry => entry.phase !== 'waiting')
  const bytes = (list: readonly Entry[]) => list.reduce((sum, entry) => sum + entry.bytes, 0)
  const total = bytes(all)
  const left = open.reduce((sum, entry) => sum + entry.bytes * (1 - entry.sent), 0)
  const title = text('convert.uploading', { done: all.length - open.length, total: all.length })
  return (
    <section className={classes.intake} aria-label={title}>
      <div className={classes.head}>
        <h2 className={`${classes.title} numbers`}>{title}</h2>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={() => remove(open.map(entry => entry.key))}
        >
          {text('convert.stopAdding')}
        </Button>
      </div>
      <ProgressLine label={title} percent={total > 0 ? ((total - left) / total) * 100 : 0} />
      <ul className={classes.list}>
        {current.map(entry => (
          <li key={entry.key}>
            <span className={classes.name}>{entry.name}</span>
            <span className={`${classes.state} numbers`}>
              {entry.phase === 'measuring'
                ? text('convert.measuring')
                : `${Math.round(entry.sent * 100)}% · ${size(entry.bytes)}`}
            </span>
          </li>
        ))}
        {open.length > current.length && (
          <li className={classes.state}>
            {text('convert.waitingFor', { value: open.length - current.length })}
          </li>
        )}
      </ul>
    </section>
  )
}
