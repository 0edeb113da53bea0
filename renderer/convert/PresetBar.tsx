import { useEffect, useMemo, useRef, useState } from 'react'
import type { Preset } from '../../service/app/types.ts'
import { PresetChips } from '../presets/PresetChips.tsx'
import { PresetMenu } from '../presets/PresetMenu.tsx'
import { usePresets } from '../presets/store.ts'
import { applyPreset, choicesOf, formatsOf, isFollowed, leavePreset, presetInForce } from './presets.ts'
import type { Row } from './row.ts'
import { useTable } from './store.ts'
import classes from './TopBar.module.css'

/** Presets for all rows at once. */
export function PresetBar() {
  const all = useTable(state => state.rows)
  const presets = usePresets(state => state.presets)
  const rows = useMemo(() => [...all.values()], [all])
  const formats = useMemo(() => formatsOf(rows), [rows])
  const { following, follow } = useFollowing(rows)
  const inForce = useMemo(() => following ?? presetInForce(presets, rows), [following, presets, rows])
  const choices = useMemo(() => choicesOf(rows), [rows])
  return (
    <div className={classes.presets}>
      <PresetChips
        formats={formats}
        chosen={inForce?.id ?? null}
        onChoose={preset => {
          follow(preset)
          if (preset) applyPreset(preset, rows)
          else if (inForce) leavePreset(inForce, rows)
        }}
      />
      <PresetMenu choices={choices} />
    </div>
  )
}

/** The preset that was pressed last: files that are still on their way follow it too, until something else is chosen. */
function useFollowing(rows: readonly Row[]) {
  const [following, follow] = useState<Preset | null>(null)
  const seen = useRef(new Set<string>())
  useEffect(() => {
    const fresh = rows.filter(({ key, file, item }) => file && !item && !seen.current.has(key))
    for (const { key } of fresh) seen.current.add(key)
    if (!following) return
    if (fresh.length > 0) applyPreset(following, fresh)
    else if (isFollowed(following, rows) === false) follow(null)
  }, [rows, following])
  return { following, follow }
}
