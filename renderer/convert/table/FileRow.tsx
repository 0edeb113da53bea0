import { memo, useEffect } from 'react'
import { inLine, text } from '../../messages/text.ts'
import { pairOf, useSchemas } from '../../options/schemas.ts'
import { usePresets } from '../../presets/store.ts'
import { TargetPicker } from '../bar/TargetPicker.tsx'
import { labelOf, offersOf } from '../state/choose/choices.ts'
import { isLeftOut, presetNameOf } from '../state/choose/presets.ts'
import { factsOf } from '../state/rows/facts.ts'
import type { Line } from '../state/rows/layout.ts'
import { lossesOf, mayLose } from '../state/rows/losses.ts'
import { choiceOfRow, isUnderWay, type Row, stageOf } from '../state/rows/row.ts'
import { useView } from '../state/rows/view.ts'
import { useTable } from '../state/store.ts'
import { Cell, GridLine } from './cells.tsx'
import classes from './FileTable.module.css'
import { ResultName } from './ResultName.tsx'
import { RowActions } from './RowActions.tsx'
import { RowState } from './RowState.tsx'
import { Thumb } from './Thumb.tsx'

interface Props {
  rowKey: string
  lines: readonly Line[]
  index: number
  /** Distance from the top in pixels. */
  start: number
  /** Measures its height, which depends on what it explains. */
  measure: (element: HTMLElement | null) => void
}

/** How many characters at the end of a name always stay visible, including its suffix. */
const END_CHARACTERS = 9

/** A name in up to two lines, shortened in the middle if there is no room. */
export const Name = ({ name }: { name: string }) => (
  <span className={classes.name} title={name} dir="auto">
    <bdi className={classes.whole} data-end={name.slice(-END_CHARACTERS)}>
      {name}
    </bdi>
  </span>
)

/** One file, rendered again only when it changes. */
export const FileRow = memo(function FileRow({ rowKey, lines, index, start, measure }: Props) {
  const row = useTable(state => state.rows.get(rowKey))
  const isSelected = useView(state => state.selected.has(rowKey))
  const isCursor = useView(state => state.cursor === rowKey)
  const isRenamed = useView(state => state.renaming === rowKey)
  if (!row) return null
  const tabIndex = isCursor ? 0 : -1
  const facts = factsOf(row)
  return (
    <GridLine
      lineKey={rowKey}
      index={index}
      className={classes.line}
      start={start}
      measure={measure}
      isCursor={isCursor}
      isSelected={isSelected}
      onClick={({ shiftKey, ctrlKey, metaKey }) =>
        useView.getState().go(lines, rowKey, { range: shiftKey, toggle: ctrlKey || metaKey })
      }
    >
      <Cell column={1}>
        <Thumb row={row} />
      </Cell>
      <Cell
        column={2}
        isHeader
        className={`${classes.words} ${!isRenamed && (facts.tone || facts.isWide) ? classes.explained : ''}`}
      >
        <Name name={row.name} />
        {isRenamed ? (
          <ResultName row={row} />
        ) : (
          <div className={`${classes.facts} numbers`} data-tone={facts.tone} title={facts.text}>
            <Choice row={row} />
            {mayLose(row) && stageOf(row) === 'ready' && <Losses row={row} />}
            {facts.text}
          </div>
        )}
      </Cell>
      <Cell column={3} className={classes.target}>
        <RowTarget row={row} tabIndex={tabIndex} />
      </Cell>
      <Cell column={4} className={classes.state}>
        <RowState row={row} />
      </Cell>
      <Cell column={5} className={classes.actions}>
        <RowActions row={row} lines={lines} tabIndex={tabIndex} />
      </Cell>
    </GridLine>
  )
})

/** Marks a row with options of its own, or with the preset they come from. */
function Choice({ row }: { row: Row }) {
  const presets = usePresets(state => state.presets)
  if (Object.keys(row.options).length === 0) return null
  const name = presetNameOf([row], presets, useTable.getState().following)
  return (
    <span className={`${classes.choice} badge`} data-tone="good">
      {name ?? text('convert.ownOptions')}
    </span>
  )
}

/** What the conversion will not keep. */
function Losses({ row }: { row: Row }) {
  const { format, target } = row
  const { load, schemas } = useSchemas()
  useEffect(() => {
    if (format !== null && target !== null) void load(format, target)
  }, [format, target, load])
  const losses = lossesOf(row, schemas[pairOf(format ?? '', target ?? '')])
  if (losses.length === 0) return null
  return (
    <span className={classes.loss} data-tone="attention">
      {inLine(losses)}
    </span>
  )
}

function RowTarget({ row, tabIndex }: { row: Row; tabIndex: number }) {
  const { key, file, item, name, target } = row
  const choice = choiceOfRow(row, target)
  const isLeft = useTable(({ following }) => isLeftOut(row, following))
  if (!file) {
    const label =
      item && (item.job ? labelOf({ label: item.targetLabel, job: item.job.job }) : item.targetLabel)
    return label ? <span className={classes.facts}>{label}</span> : null
  }
  if (file.targets.length === 0) return null
  const allMissing = file.targets.every(({ missing }) => missing)
  return (
    <TargetPicker
      label={text('convert.targetOf', { name })}
      offers={() => offersOf([row])}
      files={1}
      chosen={choice ?? (isLeft ? 'left' : null)}
      disabled={allMissing || isUnderWay(row)}
      tabIndex={tabIndex}
      onChoose={chosen => useTable.getState().choose([key], chosen)}
    />
  )
}
