/** Presets as they are applied to the rows of the table. */
import type { NewPreset, Preset } from '../../service/app/types.ts'
import type { Values } from '../forms/schema.ts'
import { choiceFor, type PresetChoice } from '../presets/choice.ts'
import { choiceOfRow, isUnderWay, type Row } from './row.ts'
import { useTable } from './store.ts'

/** What a preset makes of a row; null where it says nothing of it. */
const choiceOfPreset = (preset: Preset, { file }: Row): PresetChoice | null => file && choiceFor(preset, file)

/** Formats of the rows that a preset could be applied to. */
export const formatsOf = (rows: Iterable<Row>): string[] => [
  ...new Set([...rows].flatMap(({ format }) => format ?? [])),
]

/** Gives every row that a preset says something of its target and options; the others stay as they are. */
export function applyPreset(preset: Preset, rows: Iterable<Row>): void {
  const { choose, setOptions } = useTable.getState()
  for (const [format, own] of Map.groupBy(rows, row => row.format)) {
    const [first] = own.filter(row => !isUnderWay(row) && choiceOfPreset(preset, row))
    const choice = first && choiceOfPreset(preset, first)
    const target = first && choice && choiceOfRow(first, choice.target)
    if (format === null || !choice || !target) continue
    const keys = own.map(({ key }) => key)
    choose(keys, target)
    setOptions(keys, choice.options)
  }
}

/** Takes the options of all rows that follow a preset back to their defaults; their targets stay. */
export function leavePreset(preset: Preset, rows: Iterable<Row>): void {
  const keys = [...rows].filter(row => choiceOfPreset(preset, row)).map(({ key }) => key)
  useTable.getState().setOptions(keys, {})
}

/** Whether all rows that a preset says something of follow it; null when it says something of none. */
export function isFollowed(preset: Preset, rows: readonly Row[]): boolean | null {
  let follows: true | null = null
  for (const row of rows) {
    const choice = choiceOfPreset(preset, row)
    if (!choice) continue
    if (row.target !== choice.target || !isSame(row.options, choice.options)) return false
    follows = true
  }
  return follows
}

/** The preset that all rows it says something of follow; null when there is none. */
export const presetInForce = (presets: readonly Preset[], rows: readonly Row[]): Preset | null =>
  presets.find(preset => isFollowed(preset, rows)) ?? null

const isSame = (a: Values, b: Values): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** What each format becomes now, by its first row that has a target. */
export function choicesOf(rows: Iterable<Row>): NewPreset['choices'] {
  const choices: NewPreset['choices'] = {}
  for (const { format, target, options } of rows) {
    if (format && target && !Object.hasOwn(choices, format)) choices[format] = { target, options }
  }
  return choices
}
