import { SegmentedControl } from '@mantine/core'
import { text } from '../../messages/text.ts'

export type Side = 'before' | 'after'

/** Switches between before and after. */
export function SideChoice({ side, onChoose }: { side: Side; onChoose: (side: Side) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={text('preview.side')}
      value={side}
      onChange={onChoose}
      data={[
        { value: 'before', label: text('preview.before') },
        { value: 'after', label: text('preview.after') },
      ]}
    />
  )
}
