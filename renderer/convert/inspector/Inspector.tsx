import { Box, Stack } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import type { Preview as Shown } from '../../../service/web/app/types.ts'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { subjectOf } from '../../actions/action.ts'
import { join } from '../../actions/join.ts'
import { Surroundings } from '../../forms/surroundings.ts'
import { inLine, text } from '../../messages/text.ts'
import { useSentOptions } from '../../options/schemas.ts'
import { Preview } from '../../preview/Preview.tsx'
import { FormatTag } from '../../ui/FormatTag.tsx'
import { size } from '../../ui/format.ts'
import { FormatTile } from '../add/FormatTile.tsx'
import { TargetPicker } from '../bar/TargetPicker.tsx'
import { labelOf, offersOf } from '../state/choose/choices.ts'
import { ownFactsOf } from '../state/rows/facts.ts'
import type { Line } from '../state/rows/layout.ts'
import { choiceOfRow, type Row, stageOf } from '../state/rows/row.ts'
import { useView } from '../state/rows/view.ts'
import { useTable } from '../state/store.ts'
import { Name } from '../table/FileRow.tsx'
import classes from './Inspector.module.css'
import { PairOptions } from './PairOptions.tsx'
import { PresetChoice } from './PresetChoice.tsx'
import { type PairPart, type Subject, useSubject } from './useSubject.ts'

/** Details of the selection: preview, target and options. */
export function Inspector({ lines }: { lines: readonly Line[] }) {
  const subject = useSubject(lines)
  const { title, rows, single, parts } = subject
  const [shown, setShown] = useState<Shown | null>(null)
  const source = useSourceOf(single, shown)
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
  const sample = single ?? sampleOf(subject)
  // The place of the preview is kept until it is known what to show, or that files of several kinds have none.
  const isReading = parts.length < 2 && sample === null && rows.some(row => stageOf(row) === 'coming')
  const isReady = sample !== null && stageOf(sample) === 'ready'
  // With several files, one represents all of them.
  const expected =
    shown?.bytes != null && isReady && shown.inputBytes > 0
      ? expectedText(size((shown.bytes / shown.inputBytes) * bytes), rows.length)
      : null
  return (
    <div className={classes.inspector}>
      <header className={classes.head}>
        {(sample !== null || isReading) && (
          <div className={classes.preview} data-many={rows.length > 1 || undefined}>
            {sample && <Looks row={sample} onShown={setShown} />}
            {sample && !single && (
              <p className={`${classes.facts} fine`}>{text('convert.previewOf', { name: sample.name })}</p>
            )}
          </div>
        )}
        <h2 className={classes.title}>{single ? <Name name={single.name} /> : title}</h2>
        <p className={`${classes.facts} fine numbers`}>
          {single
            ? inLine([size(bytes), ownFactsOf(single)])
            : text('convert.groupFacts', { files: rows.length, size: size(bytes) })}
        </p>
      </header>
      <div className={classes.preset}>
        <PresetChoice rows={rows} />
      </div>
      <Surroundings value={{ picture: source, size: expected }}>
        <Parts
          subject={subject}
          sample={isReady && shown?.bytes != null ? sample : null}
          foot={<JoinButton rows={rows} lines={lines} />}
        />
      </Surroundings>
    </div>
  )
}

/** The address of a single picture itself, which stays while another preview of it is made. */
function useSourceOf(single: Row | null, shown: Shown | null): string | null {
  const [source, setSource] = useState<{ key: string; file: string } | null>(null)
  const before = shown?.before?.kind === 'picture' ? shown.before.file : null
  if (single && before !== null && (source?.key !== single.key || source.file !== before))
    setSource({ key: single.key, file: before })
  return single && source?.key === single.key ? source.file : null
}

const expectedText = (size: string, files: number): string =>
  files === 1 ? text('convert.expected', { size }) : text('convert.expectedOf', { size, files })

/** Offers to make one file of the shown ones. It goes as they are converted, and its place stays, so that nothing moves. */
function JoinButton({ rows, lines }: { rows: readonly Row[]; lines: readonly Line[] }) {
  const on = useMemo(() => subjectOf(rows, lines), [rows, lines])
  if (rows.length < 2) return null
  return (
    <Box mih={46} p="0 16px 16px">
      <ActionButton action={join} on={on} size="xs" fullWidth />
    </Box>
  )
}

/** The file that represents several with the same target: the same one before, while and after they are converted. */
const sampleOf = ({ rows, parts }: Subject): Row | null =>
  (parts.length === 1 && rows.find(({ fileId, target }) => fileId !== null && target !== null)) || null

/** A file beside its result, or an icon of its format until that is known. */
function Looks({ row, onShown }: { row: Row; onShown: (preview: Shown | null) => void }) {
  const { fileId, format, kind, name, target } = row
  const options = useSentOptions(format, target, row.options)
  if (fileId === null || format === null) return <FormatTile row={row} />
  const result = stageOf(row) === 'done' ? (row.item?.job?.id ?? null) : null
  const chosen = choiceOfRow(row, target)
  return (
    <Preview
      file={{ kind: 'staged', id: fileId, name, category: kind, format }}
      target={chosen && !chosen.missing ? target : null}
      options={options}
      result={result}
      onShown={onShown}
    />
  )
}

interface PartsProps {
  subject: Subject
  /** The file that stands for all, if its conversion was tried as a whole. */
  sample: Row | null
  /** What stands below. */
  foot: ReactNode
}

function Parts({ subject: { rows, parts }, sample, foot }: PartsProps) {
  const [only] = parts
  if (only && parts.length === 1) return <PairOptions part={only} sample={sample} foot={foot} />
  return (
    <>
      {only ? <PartList parts={parts} /> : <NothingChosen rows={rows} />}
      {foot}
    </>
  )
}

/** Several formats or targets, to choose the one whose options are shown. */
function PartList({ parts }: { parts: readonly PairPart[] }) {
  return (
    <Box component="section" flex={1} p="12px 16px 16px" aria-label={text('convert.options')}>
      <p className={classes.hint}>{text('convert.parts')}</p>
      <Stack component="ul" gap={4} className="plain-list">
        {parts.map(part => {
          const [first] = part.rows
          const choice = first && choiceOfRow(first, first.target)
          if (!first || !choice) return null
          return (
            <li key={part.pair}>
              <button
                type="button"
                className={`${classes.part} hoverable`}
                onClick={() => useView.getState().select(part.rows.map(({ key }) => key))}
              >
                <FormatTag size="s" label={first.formatLabel ?? ''} />
                <span className="hidden-text">
                  {text('convert.fromTo', { from: first.formatLabel ?? '', to: labelOf(choice) })}
                </span>
                <span className="towards" aria-hidden="true">
                  →
                </span>
                <FormatTag size="s" label={labelOf(choice)} />
                <span className={`${classes.number} numbers`}>
                  {text('convert.someFiles', { files: part.rows.length })}
                </span>
              </button>
            </li>
          )
        })}
      </Stack>
    </Box>
  )
}

/** Where rows have no target yet, it can be chosen here too. */
function NothingChosen({ rows }: { rows: readonly Row[] }) {
  const open = rows.filter(row => row.file?.targets.length)
  if (open.length === 0) return null
  return (
    <div className={classes.hint}>
      <p>{text('convert.nothingChosen')}</p>
      <TargetPicker
        label={text('convert.details')}
        offers={() => offersOf(open)}
        files={open.length}
        chosen={null}
        onChoose={choice =>
          useTable.getState().choose(
            open.map(({ key }) => key),
            choice,
          )
        }
      />
    </div>
  )
}
