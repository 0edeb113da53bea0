import { IconAlertTriangle } from '@tabler/icons-react'
import { text } from '../../messages/text.ts'
import type { Line, RefusedLine } from '../state/rows/layout.ts'
import classes from './FileTable.module.css'
import { HeaderLine, type HeaderPlace } from './HeaderLine.tsx'

interface Props extends HeaderPlace {
  line: RefusedLine
  lines: readonly Line[]
}

/** All files that cannot be converted, in one line that expands to the reason of each. */
export const RefusedRow = ({ line, ...place }: Props) => (
  <HeaderLine
    {...place}
    line={line}
    title={text('convert.refused', { value: line.keys.length })}
    mark={<IconAlertTriangle className={classes.warning} size={16} stroke={1.8} aria-hidden="true" />}
  />
)
