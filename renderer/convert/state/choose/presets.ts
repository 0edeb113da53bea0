/** Applies presets to the rows of the table. */
import type { NewPreset, Preset } from '../../../../service/web/app/types.ts'
import { isRecord, type Values } from '../../../forms/schema.ts'
import { choiceFor, type PresetChoice } from '../../../presets/choice.ts'
import { isGoal } from '../../../presets/goals.ts'
import { presetName } from '../../../presets/name.ts'
import type { FormatCounts } from '../../../presets/PresetChips.tsx'
import type { Row } from '../rows/row.ts'

/** The choice of a preset for a row; null if it does not cover it. */
export const choiceOfPreset = (preset: Preset, { file }: Row): PresetChoice | null =>
  file && choiceFor(preset, file)

/** Whether a goal leaves a file as it is: it acts on what it covers, and on nothing else. */
export const isLeftOut = (row: Row, preset: Preset | null): boolean =>
  preset !== null && isGoal(preset) && row.item === null && row.file !== null && !choiceOfPreset(preset, row)

/** Number of rows of each format to which a preset could be applied. */
export function countFormats(rows: Iterable<Row>): FormatCounts {
  const counts = new Map<string, number>()
  for (const { format } of rows) if (format) counts.set(format, (counts.get(format) ?? 0) + 1)
  return counts
}

/** Whether all rows that a preset covers follow it; null if it covers none. */
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

/**
 * The preset that all rows it covers follow; null if there is none.
 * @param pressed the selected one, which alone may be no more than a target that rows have anyway
 */
export function presetInForce(
  presets: readonly Preset[],
  rows: readonly Row[],
  pressed: Preset | null = null,
): Preset | null {
  if (pressed && isFollowed(pressed, rows)) return pressed
  const changes = (preset: Preset) =>
    rows.some(row => Object.keys(choiceOfPreset(preset, row)?.options ?? {}).length > 0)
  return presets.find(preset => isFollowed(preset, rows) && changes(preset)) ?? null
}

/** Name of the preset that rows of one kind follow, preferably the selected one; null without one. */
export function presetNameOf(rows: readonly Row[], presets: readonly Preset[], pressed: Preset | null) {
  const preset = presetInForce(presets, rows, pressed)
  return preset && presetName(preset)
}

/** Whether options say the same: presets and what was remembered name them in different orders. */
export const isSame = (a: Values, b: Values): boolean =>
  a === b || JSON.stringify(a, inOrder) === JSON.stringify(b, inOrder)

const inOrder = (_key: string, value: unknown): unknown =>
  isRecord(value) ? Array.from(Object.keys(value).toSorted(), key => [key, value[key]]) : value

/** The current target of each format, from its first row with a target. */
export function choicesOf(rows: Iterable<Row>): NewPreset['choices'] {
  const choices: NewPreset['choices'] = {}
  for (const { format, target, options } of rows) {
    if (format && target && !Object.hasOwn(choices, format)) choices[format] = { target, options }
  }
  return choices
}
