import { text } from '../messages/text.ts'
import { useSession } from '../session/session.ts'
import entry from '../ui/list/Entry.module.css'
import { Segments } from '../ui/Segments.tsx'
import { FolderField } from './FolderField.tsx'

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
  const canRecycle = useSession(state => state.session?.canRecycle ?? false)
  const offered = (['keep', 'move', 'recycle'] as const).filter(each => each !== 'recycle' || canRecycle)
  return (
    <Segments
      label={text('destination.original')}
      data={offered.map(each => ({ value: each, label: text(labels[each]) }))}
      value={value}
      onChange={onChange}
    >
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
    </Segments>
  )
}
