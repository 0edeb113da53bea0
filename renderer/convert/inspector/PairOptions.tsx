import { Box, Button, Group, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { type ReactNode, useContext, useMemo } from 'react'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { subjectOf } from '../../actions/action.ts'
import { repeat } from '../../actions/repeat.ts'
import { fieldInWords, sentValues, withValue } from '../../forms/schema.ts'
import { type PlayedVideo, Surroundings } from '../../forms/surroundings.ts'
import { text } from '../../messages/text.ts'
import { commandFor } from '../../options/curl.ts'
import { factsOfAll } from '../../options/facts.ts'
import { Options } from '../../options/Options.tsx'
import { type Schemas, sentOptions, useSchemas } from '../../options/schemas.ts'
import { mediaUrl } from '../../preview/client.ts'
import { sizeInWords } from '../../preview/result-size.ts'
import { useWholePeaks } from '../../preview/sound/useWholePeaks.ts'
import { Thumbnail } from '../../preview/thumbnail/Thumbnail.tsx'
import { useSizes } from '../../preview/useSizes.ts'
import { notify } from '../../ui/notifications/notify.ts'
import { useAction } from '../../ui/useAction.ts'
import { labelOf } from '../state/choose/choices.ts'
import { choiceOfRow, isUnderWay, type Row } from '../state/rows/row.ts'
import { useTable } from '../state/store.ts'
import classes from './Inspector.module.css'
import type { PairPart } from './useSubject.ts'

interface Props {
  part: PairPart
  /** The file that stands for all, once its conversion was tried. */
  sample: Row | null
  /** What stands below. */
  foot: ReactNode
}

/** The content of a video, to be played while it is cut; null for what is none, or has no known frames. */
function videoOf({ fileId: id, kind, file }: Row): PlayedVideo | null {
  const fps = file?.facts.fps
  if (kind !== 'video' || id === null || !fps) return null
  const picture = (at: number) => <Thumbnail of={{ kind: 'staged', id, at }} category="video" isLarge />
  return { url: mediaUrl({ kind: 'staged', id }), fps, picture }
}

/** The pages of a PDF, if they were counted; one page cannot be cut. */
function pagesOf({ fileId: id, format, file }: Row) {
  const { pages } = file ?? {}
  if (id === null || format !== 'pdf' || !pages || pages < 2) return null
  const picture = (page: number) => (
    <Thumbnail of={{ kind: 'staged', id, page }} category="documents" isLarge />
  )
  return { pages, picture }
}

const BIT_RATE = 'kbit/s'

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
    words && words.unit !== BIT_RATE && of?.fileId && of.target
      ? {
          id: of.fileId,
          target: of.target,
          variants: Object.fromEntries(
            words.values.map(value => [
              String(value),
              sentOptions(schema, withValue(of.options, words.path, value)),
            ]),
          ),
        }
      : null,
  )
  const seconds = rows.reduce((sum, { file }) => sum + (file?.facts.seconds ?? Number.NaN), 0)
  const factor = of ? rows.reduce((sum, row) => sum + row.bytes, 0) / Math.max(1, of.bytes) : 1
  return useMemo(
    () =>
      words?.unit === BIT_RATE
        ? Object.fromEntries(
            Number.isNaN(seconds)
              ? []
              : words.values.map(rate => [
                  String(rate),
                  sizeInWords({ bytes: (Number(rate) * 1000 * seconds) / 8, isEstimate: true }),
                ]),
          )
        : Object.fromEntries(
            Object.entries(sizes).map(([value, found]) => [value, sizeInWords(found, factor)]),
          ),
    [sizes, factor, words, seconds],
  )
}

/** Options of rows with the same target; those of the first are shown, and a change applies to all. */
export function PairOptions({ part: { rows, pair }, sample, foot }: Props) {
  const known = useContext(Surroundings)
  const schema = useSchemas(state => state.schemas[pair])
  const sizes = useWordSizes(rows, sample, schema)
  const { act } = useAction()
  const [first] = rows
  const format = first?.format ?? ''
  const target = first?.target ?? ''
  const facts = useMemo(
    () => ({
      ...factsOfAll(rows.map(row => row.file?.facts ?? {})),
      unread: rows.some(row => row.file?.problem != null),
    }),
    [rows],
  )
  const canTrim = typeof schema === 'object' && 'trim' in schema.properties && rows.length === 1
  const peaks = useWholePeaks(canTrim && first?.fileId ? { kind: 'staged', id: first.fileId } : null)
  const pages = useMemo(() => (first && rows.length === 1 ? pagesOf(first) : null), [first, rows])
  const choice = first && choiceOfRow(first, first.target)
  if (!first || !choice) return null
  const { setOption, setOptions, choose } = useTable.getState()
  const keys = rows.map(({ key }) => key)
  const isLocked = rows.every(isUnderWay)
  const hasOthers =
    rows.length === 1 &&
    [...useTable.getState().rows.values()].some(row => row.format === format && row.key !== first.key)
  const changed = typeof schema === 'object' ? sentValues(schema.properties, first.options) : {}

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
    await navigator.clipboard.writeText(commandFor(navigator.userAgent, command))
    notify(text('convert.curlCopied'))
  }
  return (
    <>
      <Box component="section" flex={1} p="12px 16px 16px" aria-label={text('convert.options')}>
        <Group mih={28} mb={8}>
          <Text component="h3" fz="var(--text-sm)" fw={650}>
            {text('convert.fromTo', { from: first.formatLabel ?? '', to: labelOf(choice) })}
          </Text>
        </Group>
        <fieldset disabled={isLocked}>
          <Surroundings value={{ ...known, sizes, peaks, pages, video: canTrim ? videoOf(first) : null }}>
            <Options
              from={format}
              to={target}
              facts={facts}
              values={first.options}
              onChange={(path, value) => setOption(keys, path, value)}
              onReset={() => setOptions(keys, {})}
            />
          </Surroundings>
        </fieldset>
      </Box>
      {/* Below options that are still to come, it would be pushed down by them. */}
      {schema !== undefined && schema !== 'loading' && (
        <>
          <footer className={classes.foot}>
            <ActionButton
              action={repeat}
              on={subjectOf(rows, [])}
              size="xs"
              fullWidth
              title={text('convert.anotherHint')}
            />
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
              onClick={() => void act(copy)}
            >
              {text('convert.copyCurl')}
            </Button>
          </footer>
          {foot}
        </>
      )}
    </>
  )
}
