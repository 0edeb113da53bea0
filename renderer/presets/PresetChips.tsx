import { Tooltip } from '@mantine/core'
import { type Ref, useEffect } from 'react'
import type { Preset } from '../../service/app/types.ts'
import { text } from '../messages/text.ts'
import { suits } from './choice.ts'
import { presetHint, presetName } from './name.ts'
import classes from './PresetChips.module.css'
import { usePresets } from './store.ts'

/** Files by their formats. */
export type FormatCounts = ReadonlyMap<string, number>

interface Props {
  /** How many files there are of each format; those that a preset says nothing of cannot take it. */
  formats: FormatCounts
  /** Id of the preset that is in force. */
  chosen: string | null
  /** Chooses a preset, or none. */
  onChoose: (preset: Preset | null) => void
  /** Which presets to show; all without it. */
  only?: (presets: readonly Preset[]) => readonly Preset[]
  /** How many of them there is room for; the others are kept out of the way. */
  room?: number
  ref?: Ref<HTMLFieldSetElement>
}

/** Presets as buttons in a row. */
export function PresetChips({ formats, chosen, onChoose, only, room = Infinity, ref }: Props) {
  const presets = usePresets(state => state.presets)
  const load = usePresets(state => state.load)
  useEffect(() => {
    // The page works without presets; they are asked for again when it is shown anew.
    load().catch(() => {})
  }, [load])
  return (
    <fieldset ref={ref} className={classes.chips}>
      <legend className="hidden-text">{text('presets.label')}</legend>
      {(only?.(presets) ?? presets).map((preset, index) => {
        const fits = formats.size === 0 || suits(preset, formats.keys())
        const hint = fits ? hintFor(preset, formats) : text('presets.unsuited')
        return (
          <Tooltip key={preset.id} label={hint} multiline maw={280}>
            <button
              type="button"
              className={classes.chip}
              aria-pressed={preset.id === chosen}
              aria-disabled={!fits}
              aria-description={hint}
              data-away={index >= room || undefined}
              onClick={() => fits && choosePreset(preset, chosen, onChoose)}
            >
              {presetName(preset)}
            </button>
          </Tooltip>
        )
      })}
    </fieldset>
  )
}

/** Puts a preset in force and notes its use, or puts the one that is in force out of it. */
export function choosePreset(preset: Preset, chosen: string | null, onChoose: Props['onChoose']): void {
  const isChosen = preset.id === chosen
  if (!isChosen) usePresets.getState().use(preset.id)
  onChoose(isChosen ? null : preset)
}

/** What a preset does, and how many files it leaves alone. */
function hintFor(preset: Preset, formats: FormatCounts): string {
  const left = [...formats].reduce((sum, [format, files]) => (suits(preset, [format]) ? sum : sum + files), 0)
  const hint = presetHint(preset)
  return left === 0 ? hint : `${hint} ${text('presets.skips', { value: left })}`
}
