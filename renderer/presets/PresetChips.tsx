import { Tooltip } from '@mantine/core'
import { useEffect } from 'react'
import type { Preset } from '../../service/app/types.ts'
import { text } from '../messages/text.ts'
import { suits } from './choice.ts'
import { presetHint, presetName } from './name.ts'
import classes from './PresetChips.module.css'
import { usePresets } from './store.ts'

interface Props {
  /** Source formats that are there; presets that say nothing of any of them cannot be chosen. Empty allows all. */
  formats: readonly string[]
  /** Id of the preset that is in force; null where none is. */
  chosen: string | null
  /** Gets the preset that was pressed; null when the one in force was pressed again. */
  onChoose: (preset: Preset | null) => void
  /** Presets to offer in place of all. */
  only?: (presets: readonly Preset[]) => readonly Preset[]
}

/** Presets as a row of buttons of which at most one is pressed. */
export function PresetChips({ formats, chosen, onChoose, only }: Props) {
  const presets = usePresets(state => state.presets)
  const load = usePresets(state => state.load)
  const use = usePresets(state => state.use)
  useEffect(() => {
    // The page works without presets; they are asked for again when it is shown anew.
    load().catch(() => {})
  }, [load])
  const choose = (preset: Preset) => {
    if (preset.id === chosen) return onChoose(null)
    use(preset.id)
    onChoose(preset)
  }
  return (
    <fieldset className={classes.chips}>
      <legend className="hidden-text">{text('presets.label')}</legend>
      {(only?.(presets) ?? presets).map(preset => {
        const fits = formats.length === 0 || suits(preset, formats)
        const hint = fits ? presetHint(preset) : text('presets.unsuited')
        return (
          <Tooltip key={preset.id} label={hint} multiline maw={280}>
            <button
              type="button"
              className={classes.chip}
              aria-pressed={preset.id === chosen}
              aria-disabled={!fits}
              aria-description={hint}
              onClick={() => fits && choose(preset)}
            >
              {presetName(preset)}
            </button>
          </Tooltip>
        )
      })}
    </fieldset>
  )
}
