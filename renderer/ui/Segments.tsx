import { SegmentedControl, type SegmentedControlProps } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface Props<Value extends string> extends Omit<SegmentedControlProps<Value>, 'label'> {
  label: string
  /** What stands below. */
  children?: ReactNode
}

/** A choice of a few things that stand side by side, under its label. */
export function Segments<Value extends string>({ label, children, ...control }: Props<Value>) {
  const id = useId()
  return (
    <div>
      <div id={id} className="field-label">
        {label}
      </div>
      <SegmentedControl aria-labelledby={id} {...control} />
      {children}
    </div>
  )
}
