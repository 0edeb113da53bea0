import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { useMemo } from 'react'
import { categoryName, text } from '../messages/text.ts'
import { size } from '../ui/format.ts'
import { removeRows } from './actions.ts'
import { Cell, GridLine } from './cells.tsx'
import { commonTarget, offersOf } from './choices.ts'
import classes from './FileTable.module.css'
import type { GroupLine, Line } from './layout.ts'
import { isUnderWay } from './row.ts'
import { useTable } from './store.ts'
import { TargetPicker } from './TargetPicker.tsx'
import { useView } from './view.ts'

export interface HeaderPlace {
  index: number
  start: number
  /** Whether its group is being looked at, so that it stays in sight. */
  isStuck: boolean
}

interface Props extends HeaderPlace {
  line: GroupLine
  lines: readonly Line[]
}

export const titleOf = ({ name, by }: Pick<GroupLine, 'name' | 'by'>): string => {
  if (by === 'kind') return name === null ? text('convert.otherFiles') : categoryName(name)
  return name ?? text('convert.looseFiles')
}

/** The header of a group: what all its files become. */
export function GroupRow({ line, lines, index, start, isStuck }: Props) {
  const { key, keys, folded, name, by } = line
  const rows = useTable(state => state.rows)
  const isCursor = useView(state => state.cursor === key)
  const tabIndex = isCursor ? 0 : -1
  const title = titleOf(line)
  const facts = useMemo(() => {
    const own = keys.flatMap(each => rows.get(each) ?? [])
    return {
      bytes: own.reduce((sum, row) => sum + row.bytes, 0),
      chosen: commonTarget(own),
      known: own.filter(row => row.file !== null && row.file.targets.length > 0).length,
      locked: own.every(isUnderWay),
    }
  }, [rows, keys])
  return (
    <GridLine
      lineKey={key}
      index={index}
      className={classes.group}
      start={isStuck ? null : start}
      isCursor={isCursor}
      category={by === 'kind' ? (name ?? undefined) : undefined}
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
        <span className={classes.dot} />
        <span className={classes.groupName}>{title}</span>
        <span className={`${classes.groupFacts} numbers`}>
          {text('convert.groupFacts', { files: keys.length, size: size(facts.bytes) })}
        </span>
      </Cell>
      <Cell column={3} className={classes.target}>
        {facts.known > 0 && (
          <TargetPicker
            label={text('convert.targetOf', { name: title })}
            offers={() => offersOf(keys.flatMap(each => useTable.getState().rows.get(each) ?? []))}
            files={keys.length}
            chosen={facts.chosen}
            disabled={facts.locked}
            tabIndex={tabIndex}
            onChoose={chosen => useTable.getState().choose(keys, chosen)}
          />
        )}
      </Cell>
      <Cell column={4} className={classes.state} />
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
