import { IconChevronDown, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { text } from '../../messages/text.ts'
import { removeRows } from '../state/actions.ts'
import type { Line } from '../state/rows/layout.ts'
import { useView } from '../state/rows/view.ts'
import { Cell, GridLine } from './cells.tsx'
import classes from './FileTable.module.css'
import { RowButton } from './RowButton.tsx'

export interface HeaderPlace {
  index: number
  start: number
  /** Whether its group is in view, so that the line sticks to the top. */
  isStuck: boolean
}

interface Props extends HeaderPlace {
  line: { key: string; keys: readonly string[]; folded: boolean }
  lines: readonly Line[]
  title: string
  /** Shown before the title. */
  mark: ReactNode
  /** Shown after the title. */
  facts?: ReactNode
  category?: string | undefined
  /** The control for the target format. */
  target?: (tabIndex: number) => ReactNode
}

/** A header line of a group, which folds the group and removes its files. */
export function HeaderLine(props: Props) {
  const { line, lines, title, mark, facts, category, target, index, start, isStuck } = props
  const { key, keys, folded } = line
  const isCursor = useView(state => state.cursor === key)
  const tabIndex = isCursor ? 0 : -1
  return (
    <GridLine
      lineKey={key}
      index={index}
      className={classes.group}
      start={isStuck ? null : start}
      isCursor={isCursor}
      category={category}
      onClick={({ target: clicked }) => {
        useView.getState().go(lines, key)
        // Without a target control there is nothing else on the line to click, so a click folds or unfolds the group.
        const isButton = clicked instanceof Element && clicked.closest('button') !== null
        if (!target && !isButton) useView.getState().toggle(key)
      }}
    >
      <Cell
        column={1}
        span={target ? 2 : 4}
        isHeader
        className={`${classes.groupTitle} ${target ? '' : classes.wideTitle}`}
      >
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
        {mark}
        <span className={`${classes.groupName} ellipsis`}>{title}</span>
        {facts}
      </Cell>
      {target && (
        <>
          <Cell column={3} className={classes.target}>
            {target(tabIndex)}
          </Cell>
          <Cell column={4} className={classes.state} />
        </>
      )}
      <Cell column={5} className={classes.actions}>
        <RowButton
          label={text('convert.removeGroup', { name: title })}
          symbol={<IconX size={18} stroke={1.7} aria-hidden="true" />}
          tabIndex={tabIndex}
          quiet
          onClick={() => {
            useView.getState().go(lines, key, { focus: false })
            removeRows(keys, lines)
          }}
        />
      </Cell>
    </GridLine>
  )
}
