import { SegmentedControl } from '@mantine/core'
import { useId } from 'react'
import { text } from '../messages/text.ts'
import { useSession } from '../session/session.ts'
import entry from '../ui/list/Entry.module.css'
import { FolderField } from './FolderField.tsx'
import classes from './Watch.module.css'

/** What becomes of originals once their results are saved. */
export type Originals = 'keep' | 'move' | 'recycle'

const labels = {
  keep: 'destination.original.keep',
  move: 'watch.move',
  recycle: 'destination.original.recycle',
} as const satisfies Record<Originals, string>

interface Props {
  value: Originals
  onChange: (value: Originals) => void
  moveTo: string
  onMoveTo: (path: string) => void
  /** What is wrong with the folder that they move to. */
  error: string | null
}

/** Whether originals stay, move to a folder, or go to the recycle bin where there is one. */
export function OriginalsField({ value, onChange, moveTo, onMoveTo, error }: Props) {
  const id = useId()
  const canRecycle = useSession(state => state.session?.canRecycle ?? false)
  const offered = (['keep', 'move', 'recycle'] as const).filter(each => each !== 'recycle' || canRecycle)
  return (
    <div className={classes.originals}>
      <span id={id} className={classes.label}>
        {text('destination.original')}
      </span>
      <SegmentedControl
        aria-labelledby={id}
        data={offered.map(each => ({ value: each, label: text(labels[each]) }))}
        value={value}
        onChange={chosen => onChange(chosen as Originals)}
      />
      {value === 'recycle' && <p className={entry.facts}>{text('destination.originalHint')}</p>}
      {value === 'move' && (
        <FolderField
          label={text('watch.moveTo')}
          hint={text('watch.moveToHint')}
          value={moveTo}
          onChange={onMoveTo}
          error={error}
        />
      )}
    </div>
  )
}
