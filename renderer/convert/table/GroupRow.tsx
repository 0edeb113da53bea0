import { useMemo } from 'react'
import { categoryName, text } from '../../messages/text.ts'
import { size } from '../../ui/format.ts'
import { TargetPicker } from '../bar/TargetPicker.tsx'
import { commonTarget, offersOf } from '../state/choose/choices.ts'
import type { GroupLine, Line } from '../state/rows/layout.ts'
import { isUnderWay } from '../state/rows/row.ts'
import { useTable } from '../state/store.ts'
import classes from './FileTable.module.css'
import { HeaderLine, type HeaderPlace } from './HeaderLine.tsx'

export const titleOf = ({ name, by }: Pick<GroupLine, 'name' | 'by'>): string => {
  if (by === 'kind') return name === null ? text('convert.otherFiles') : categoryName(name)
  return name ?? text('convert.looseFiles')
}

/** The header of a group, with the target of all its files. */
export function GroupRow({ line, ...place }: HeaderPlace & { line: GroupLine; lines: readonly Line[] }) {
  const { keys, name, by } = line
  const rows = useTable(state => state.rows)
  const title = titleOf(line)
  const facts = useMemo(() => {
    const own = keys.flatMap(each => rows.get(each) ?? [])
    return {
      bytes: own.reduce((sum, row) => sum + row.bytes, 0),
      // Of files that are still being read, the target is not known yet.
      chosen: commonTarget(own.filter(row => row.file !== null)),
      known: own.filter(row => row.file !== null && row.file.targets.length > 0).length,
      locked: own.every(isUnderWay),
    }
  }, [rows, keys])
  return (
    <HeaderLine
      {...place}
      line={line}
      title={title}
      category={by === 'kind' ? (name ?? undefined) : undefined}
      mark={<span className={classes.dot} />}
      facts={
        <span className={`${classes.groupFacts} fine ellipsis numbers`}>
          {text('convert.groupFacts', { files: keys.length, size: size(facts.bytes) })}
        </span>
      }
      target={tabIndex =>
        facts.known > 0 && (
          <TargetPicker
            label={text('convert.targetOf', { name: title })}
            offers={() => offersOf(keys.flatMap(each => useTable.getState().rows.get(each) ?? []))}
            files={keys.length}
            chosen={facts.chosen}
            disabled={facts.locked}
            tabIndex={tabIndex}
            onChoose={chosen => useTable.getState().choose(keys, chosen)}
          />
        )
      }
    />
  )
}
