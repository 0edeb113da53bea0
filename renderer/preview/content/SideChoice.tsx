import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { text } from '../../messages/text.ts'

export type Side = 'before' | 'after'

export function useSide(first: Side) {
  const [side, choose] = useState<Side>(first)
  return { side, choose }
}

/** Switches between before and after. */
export function SideChoice({ side, onChoose }: { side: Side; onChoose: (side: Side) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={text('preview.side')}
      value={side}
      onChange={value => onChoose(value === 'after' ? 'after' : 'before')}
      data={[
        { value: 'before', label: text('preview.before') },
        { value: 'after', label: text('preview.after') },
      ]}
    />
  )
}
