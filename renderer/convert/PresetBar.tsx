import { useMemo } from 'react'
import { PresetChips } from '../presets/PresetChips.tsx'
import { PresetMenu } from '../presets/PresetMenu.tsx'
import { usePresets } from '../presets/store.ts'
import { choicesOf, formatsOf, presetInForce } from './presets.ts'
import { useTable } from './store.ts'
import classes from './TopBar.module.css'

/** Presets for all rows at once. */
export function PresetBar() {
  const all = useTable(state => state.rows)
  const following = useTable(state => state.following)
  const presets = usePresets(state => state.presets)
  const rows = useMemo(() => [...all.values()], [all])
  const formats = useMemo(() => formatsOf(rows), [rows])
  const inForce = useMemo(() => following ?? presetInForce(presets, rows), [following, presets, rows])
  const choices = useMemo(() => choicesOf(rows), [rows])
  const { follow, unfollow } = useTable.getState()
  return (
    <div className={classes.presets}>
      <PresetChips
        formats={formats}
        chosen={inForce?.id ?? null}
        onChoose={preset => {
          if (preset) follow(preset, all.keys())
          else if (inForce) unfollow(inForce, all.keys())
        }}
      />
      <PresetMenu choices={choices} />
    </div>
  )
}
