import { useMemo } from 'react'
import { PresetChips } from '../presets/PresetChips.tsx'
import { PresetMenu } from '../presets/PresetMenu.tsx'
import { usePresets } from '../presets/store.ts'
import { applyPreset, choicesOf, formatsOf, leavePreset, presetInForce } from './presets.ts'
import { useTable } from './store.ts'
import classes from './TopBar.module.css'

/** Presets for all rows at once. */
export function PresetBar() {
  const all = useTable(state => state.rows)
  const presets = usePresets(state => state.presets)
  const rows = useMemo(() => [...all.values()], [all])
  const formats = useMemo(() => formatsOf(rows), [rows])
  const inForce = useMemo(() => presetInForce(presets, rows), [presets, rows])
  const choices = useMemo(() => choicesOf(rows), [rows])
  return (
    <div className={classes.presets}>
      <PresetChips
        formats={formats}
        chosen={inForce?.id ?? null}
        onChoose={preset => {
          if (preset) applyPreset(preset, rows)
          else if (inForce) leavePreset(inForce, rows)
        }}
      />
      <PresetMenu choices={choices} />
    </div>
  )
}
