import { Button } from '@mantine/core'
import { IconCopy, IconCopyPlus, IconFiles } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { Preview as Shown } from '../../../service/web/app/types.ts'
import { changedValues, fieldInWords, withValue } from '../../forms/schema.ts'
import {
  ExpectedSize,
  type PlayedVideo,
  SourceVideo,
  WholePeaks,
  WordSizes,
} from '../../forms/surroundings.ts'
import { text } from '../../messages/text.ts'
import { commandFor } from '../../options/curl.ts'
import { factsOfAll } from '../../options/facts.ts'
import { Options } from '../../options/Options.tsx'
import { pairOf, type Schemas, useSchemas } from '../../options/schemas.ts'
import { Preview } from '../../preview/Preview.tsx'
import { useSizes } from '../../preview/useSizes.ts'
import { useWholePeaks } from '../../preview/useWholePeaks.ts'
import { FormatTag } from '../../ui/FormatTag.tsx'
import { size } from '../../ui/format.ts'
import { notify, notifyProblem } from '../../ui/notify.ts'
import { useAction } from '../../ui/useAction.ts'
import { FormatTile } from '../add/FormatTile.tsx'
import { TargetPicker } from '../bar/TargetPicker.tsx'
import { repeatRows } from '../state/actions.ts'
import { isJoinable, labelOf, offersOf } from '../state/choices.ts'
import { factsOf } from '../state/facts.ts'
import { useJoin } from '../state/join.ts'
import { joinableKeys } from '../state/joinable.ts'
import type { Line } from '../state/layout.ts'
import { choiceOfRow, isUnderWay, type Row, stageOf } from '../state/row.ts'
import { useTable } from '../state/store.ts'
import { useView } from '../state/view.ts'
import { Name } from '../table/FileRow.tsx'
import classes from './Inspector.module.css'
import { PresetChoice } from './PresetChoice.tsx'
import { type Subject, useSubject } from './useSubject.ts'

interface Props {
  lines: readonly Line[]
}

/** Details of the selection: preview, target and options. */
export function Inspector({ lines }: Props) {
  const subject = useSubject(lines)
  const { title, rows, single } = subject
  const [shown, setShown] = useState<Shown | null>(null)
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
  const facts = single ? factsOf(single) : null
  const sample = single ?? sampleOf(rows)
  const isReady = sample !== null && stageOf(sample) === 'ready'
  // With several files, one represents all of them.
  const expected =
    shown?.bytes != null && isReady && shown.inputBytes > 0
      ? expectedText(size((shown.bytes / shown.inputBytes) * bytes), rows.length)
      : null
  return (
    <div className={classes.inspector}>
      <header className={classes.head}>
        {sample && (
          <div className={classes.preview}>
            <Looks row={sample} onShown={setShown} />
            {!single && <p className={classes.facts}>{text('convert.previewOf', { name: sample.name })}</p>}
          </div>
        )}
        <h2 className={classes.title}>{single ? <Name name={single.name} /> : title}</h2>
        <p className={`${classes.facts} numbers`} data-tone={facts?.tone}>
          {facts
            ? [size(bytes), facts.text].filter(Boolean).join(' · ')
            : text('convert.groupFacts', { files: rows.length, size: size(bytes) })}
        </p>
      </header>
      <JoinButton rows={rows} lines={lines} />
      <div className={classes.preset}>
        <PresetChoice rows={rows} />
      </div>
      <ExpectedSize value={expected}>
        <Parts subject={subject} sample={isReady && shown?.isEstimate === false ? sample : null} />
      </ExpectedSize>
    </div>
  )
}

const expectedText = (size: string, files: number): string =>
  files === 1 ? text('convert.expected', { size }) : text('convert.expectedOf', { size, files })

/** Offers to make one PDF of the shown files. */
function JoinButton({ rows, lines }: { rows: readonly Row[]; lines: readonly Line[] }) {
  if (rows.filter(isJoinable).length < 2) return null
  const ask = () => {
    const only = new Set(rows.map(({ key }) => key))
    useJoin.getState().ask(joinableKeys(lines, useTable.getState().rows, only))
  }
  return (
    <div className={classes.preset}>
      <Button
        size="xs"
        variant="default"
        fullWidth
        leftSection={<IconFiles size={15} stroke={1.8} aria-hidden="true" />}
        onClick={ask}
      >
        {text('convert.joinPdf')}
      </Button>
    </div>
  )
}

/** The file that represents several with the same target: the same one before, while and after they are converted. */
const sampleOf = (rows: readonly Row[]): Row | null =>
  (partsOf(rows).length === 1 && rows.find(({ fileId, target }) => fileId !== null && target !== null)) ||
  null

/** A file beside its result, or an icon of its format until that is known. */
function Looks({ row, onShown }: { row: Row; onShown: (preview: Shown | null) => void }) {
  const { fileId, format, kind, name, target, options } = row
  if (fileId === null || format === null) return <FormatTile label={row.formatLabel ?? ''} category={kind} />
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

interface PairPart {
  pair: string
  rows: Row[]
}

/** Groups rows by format and target; only rows of one such pair have the same options. */
function partsOf(rows: readonly Row[]): PairPart[] {
  const parts = new Map<string, PairPart>()
  for (const row of rows) {
    if (!row.format || !row.target || !choiceOfRow(row, row.target)) continue
    const pair = pairOf(row.format, row.target)
    const part = parts.get(pair) ?? { pair, rows: [] }
    part.rows.push(row)
    parts.set(pair, part)
  }
  return [...parts.values()]
}

interface PartsProps {
  subject: Subject
  /** The file that stands for all, if its conversion was tried as a whole. */
  sample: Row | null
}

function Parts({ subject: { rows }, sample }: PartsProps) {
  const parts = partsOf(rows)
  const [only] = parts
  if (!only) return <NothingChosen rows={rows} />
  if (parts.length === 1) return <PairOptions part={only} sample={sample} />
  return (
    <section className={classes.section} aria-label={text('convert.options')}>
      <p className={classes.hint}>{text('convert.parts')}</p>
      <ul className={classes.parts}>
        {parts.map(part => {
          const [first] = part.rows
          const choice = first && choiceOfRow(first, first.target)
          if (!first || !choice) return null
          return (
            <li key={part.pair}>
              <button
                type="button"
                className={classes.part}
                onClick={() => useView.getState().select(part.rows.map(({ key }) => key))}
              >
                <FormatTag size="s" label={first.formatLabel ?? ''} />
                <span className="hidden-text">
                  {text('convert.fromTo', { from: first.formatLabel ?? '', to: labelOf(choice) })}
                </span>
                <span aria-hidden="true">→</span>
                <FormatTag size="s" label={labelOf(choice)} />
                <span className={`${classes.number} numbers`}>
                  {text('convert.someFiles', { files: part.rows.length })}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
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

/** The content of a video, to be played while it is cut; null for what is none, or has no known frames. */
function videoOf({ fileId, kind, file }: Row): PlayedVideo | null {
  const fps = file?.facts.fps
  if (kind !== 'video' || fileId === null || !fps) return null
  return { url: `/app/preview/media/staged/${encodeURIComponent(fileId)}`, fps }
}

/** What rows are expected to become, as text, with each value that words stand for; a sample represents all of them. */
function useWordSizes(
  rows: readonly Row[],
  sample: Row | null,
  schema: Schemas[string] | undefined,
): Readonly<Record<string, string>> {
  const words = useMemo(
    () => (typeof schema === 'object' ? fieldInWords(schema.properties) : undefined),
    [schema],
  )
  const of = sample !== null && rows.includes(sample) ? sample : null
  const sizes = useSizes(
    words && of?.fileId && of.target
      ? {
          id: of.fileId,
          target: of.target,
          variants: Object.fromEntries(
            words.values.map(value => [String(value), withValue(of.options, words.path, value)]),
          ),
        }
      : null,
  )
  const factor = of ? rows.reduce((sum, row) => sum + row.bytes, 0) / Math.max(1, of.bytes) : 1
  return useMemo(
    () =>
      Object.fromEntries(
        Object.entries(sizes).map(([value, bytes]) => [
          value,
          // One stands for all of them.
          factor === 1 ? size(bytes) : `≈\u00a0${size(bytes * factor)}`,
        ]),
      ),
    [sizes, factor],
  )
}

/** Options of rows with the same target; those of the first are shown, and a change applies to all. */
function PairOptions({ part: { rows, pair }, sample }: { part: PairPart } & Pick<PartsProps, 'sample'>) {
  const schema = useSchemas(state => state.schemas[pair])
  const sizes = useWordSizes(rows, sample, schema)
  const { busy, act } = useAction()
  const [first] = rows
  const format = first?.format ?? ''
  const target = first?.target ?? ''
  const facts = useMemo(() => factsOfAll(rows.map(row => row.file?.facts ?? {})), [rows])
  const canTrim = typeof schema === 'object' && 'trim' in schema.properties && rows.length === 1
  const peaks = useWholePeaks(canTrim && first?.fileId ? { kind: 'staged', id: first.fileId } : null)
  const choice = first && choiceOfRow(first, first.target)
  if (!first || !choice) return null
  const { setOption, setOptions, choose } = useTable.getState()
  const keys = rows.map(({ key }) => key)
  const isLocked = rows.every(isUnderWay)
  const hasOthers =
    rows.length === 1 &&
    [...useTable.getState().rows.values()].some(row => row.format === format && row.key !== first.key)
  const changed = typeof schema === 'object' ? changedValues(schema.properties, first.options) : {}

  const applyToKind = () => {
    const all = [...useTable.getState().rows.values()].filter(
      row => row.format === format && !isUnderWay(row),
    )
    const others = all.map(({ key }) => key)
    choose(others, choice)
    setOptions(others, first.options)
    notify(text('convert.applied', { value: others.length }))
  }
  const copy = async () => {
    const command = { url: location.origin, file: first.name, target, options: changed }
    try {
      await navigator.clipboard.writeText(commandFor(navigator.userAgent, command))
      notify(text('convert.curlCopied'))
    } catch (error) {
      notifyProblem(error)
    }
  }
  return (
    <>
      <section className={classes.section} aria-label={text('convert.options')}>
        <div className={classes.sectionHead}>
          <h3 className={classes.sectionTitle}>
            {text('convert.fromTo', { from: first.formatLabel ?? '', to: labelOf(choice) })}
          </h3>
        </div>
        <fieldset className={classes.form} disabled={isLocked}>
          <WholePeaks value={peaks}>
            <WordSizes value={sizes}>
              <SourceVideo value={canTrim ? videoOf(first) : null}>
                <Options
                  from={format}
                  to={target}
                  facts={facts}
                  values={first.options}
                  onChange={(path, value) => setOption(keys, path, value)}
                  onReset={() => setOptions(keys, {})}
                />
              </SourceVideo>
            </WordSizes>
          </WholePeaks>
        </fieldset>
      </section>
      <footer className={classes.foot}>
        <Button
          size="xs"
          variant="default"
          fullWidth
          loading={busy}
          title={text('convert.anotherHint')}
          leftSection={<IconCopyPlus size={15} stroke={1.8} aria-hidden="true" />}
          onClick={() => void act(() => repeatRows(rows))}
        >
          {text('convert.another', { files: rows.length })}
        </Button>
        {hasOthers && (
          <Button size="xs" variant="default" fullWidth onClick={applyToKind}>
            {text('convert.applyToKind', { format: first.formatLabel ?? '' })}
          </Button>
        )}
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          fullWidth
          leftSection={<IconCopy size={15} stroke={1.8} aria-hidden="true" />}
          onClick={() => void copy()}
        >
          {text('convert.copyCurl')}
        </Button>
      </footer>
    </>
  )
}
