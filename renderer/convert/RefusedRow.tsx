import { ActionIcon } from '@mantine/core'
import { IconAlertTriangle, IconChevronDown, IconX } from '@tabler/icons-react'
import { text } from '../messages/text.ts'
import { removeRows } from './actions.ts'
import { Cell, GridLine } from './cells.tsx'
import classes from './FileTable.module.css'
import type { HeaderPlace } from './GroupRow.tsx'
import type { Line, RefusedLine } from './layout.ts'
import { useView } from './view.ts'

interface Props extends HeaderPlace {
  line: RefusedLine
  lines: readonly Line[]
}

/** All files that cannot be converted, in one line that unfolds to the reason of each. */
export function RefusedRow({ line, lines, index, start, isStuck }: Props) {
  const { key, keys, folded } = line
  const isCursor = useView(state => state.cursor === key)
  const tabIndex = isCursor ? 0 : -1
  const title = text('convert.refused', { value: keys.length })
  return (
    <GridLine
      lineKey={key}
      index={index}
      className={classes.group}
      start={isStuck ? null : start}
      isCursor={isCursor}
      onClick={() => useView.getState().go(lines, key)}
    >
      <Cell column={1} span={2} isHeader className={classes.groupTitle}>
        <button
          type="button"
          className={classes.fold}
          aria-expanded={!folded}
          aria-label={text(folded ? 'convert.unfold' : 'convert.fold', { name: title })}
          tabIndex={tabIndex}
          onClick={() => useView.getState().toggle(key)}
        >
          <IconChevronDown size={16} stroke={2} aria-hidden="true" />
        </button>
        <IconAlertTriangle className={classes.warning} size={16} stroke={1.8} aria-hidden="true" />
        <span className={classes.groupName}>{title}</span>
      </Cell>
      <Cell column={3} />
      <Cell column={4} />
      <Cell column={5} className={classes.actions}>
        <ActionIcon
          className={classes.quiet}
          variant="subtle"
          color="gray"
          size={32}
          aria-label={text('convert.removeGroup', { name: title })}
          title={text('convert.removeGroup', { name: title })}
          tabIndex={tabIndex}
          onClick={() => {
            useView.getState().go(lines, key, { focus: false })
            removeRows(keys, lines)
          }}
        >
          <IconX size={18} stroke={1.7} aria-hidden="true" />
        </ActionIcon>
      </Cell>
    </GridLine>
  )
}
