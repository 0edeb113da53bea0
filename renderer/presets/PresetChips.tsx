import { Tooltip } from '@mantine/core'
import type { Ref } from 'react'
import type { Preset } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { suits } from './choice.ts'
import { presetHint, presetName } from './name.ts'
import classes from './PresetChips.module.css'
import { usePresetList, usePresets } from './store.ts'

/** Files by their formats. */
export type FormatCounts = ReadonlyMap<string, number>

interface Props {
  /** Number of files of each format. */
  formats: FormatCounts
  /** Id of the active preset. */
  chosen: string | null
  /** Called with the chosen preset, or null for none. */
  onChoose: (preset: Preset | null) => void
  /** Selects the presets to show; all by default. */
  only?: (presets: readonly Preset[]) => readonly Preset[]
  /** How many of them fit; the others are hidden. */
  room?: number
  ref?: Ref<HTMLFieldSetElement>
}

/** Presets as buttons in a row. */
export function PresetChips({ formats, chosen, onChoose, only, room = Infinity, ref }: Props) {
  const presets = usePresetList()
  return (
    <fieldset ref={ref} className={classes.chips}>
      <legend className="hidden-text">{text('presets.label')}</legend>
      {(only?.(presets) ?? presets).map((preset, index) => {
        const hint = hintFor(preset, formats)
        return (
          <Tooltip key={preset.id} label={hint} multiline maw={280}>
            <button
              type="button"
              className={`${classes.chip} hoverable filled`}
              aria-pressed={preset.id === chosen}
              aria-description={hint}
              data-away={index >= room || undefined}
              onClick={() => choosePreset(preset, chosen, onChoose)}
            >
              {presetName(preset)}
            </button>
          </Tooltip>
        )
      })}
    </fieldset>
  )
}

/** Activates a preset and records its use, or deactivates the active one. */
export function choosePreset(preset: Preset, chosen: string | null, onChoose: Props['onChoose']): void {
  const isChosen = preset.id === chosen
  if (!isChosen) usePresets.getState().use(preset.id)
  onChoose(isChosen ? null : preset)
}

/** What a preset does, and how many files it does not affect. */
function hintFor(preset: Preset, formats: FormatCounts): string {
  const left = [...formats].reduce((sum, [format, files]) => (suits(preset, [format]) ? sum : sum + files), 0)
  const hint = presetHint(preset)
  return left === 0 ? hint : `${hint} ${text('presets.skips', { value: left })}`
}
