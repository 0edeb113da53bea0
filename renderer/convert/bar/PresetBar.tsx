import { useMemo, useRef } from 'react'
import type { Preset } from '../../../service/web/app/types.ts'
import { offeredFor, suits } from '../../presets/choice.ts'
import { PresetChips } from '../../presets/PresetChips.tsx'
import { PresetMenu } from '../../presets/PresetMenu.tsx'
import { usePresets } from '../../presets/store.ts'
import { useFitting } from '../../ui/useFitting.ts'
import { choicesOf, countFormats, presetInForce } from '../state/choose/presets.ts'
import { useRemoval } from '../state/rows/removal.ts'
import { shown } from '../state/rows/useLines.ts'
import { useTable } from '../state/store.ts'
import classes from './TopBar.module.css'

/** Distance between two chips, as in the style sheet. */
const GAP_PX = 6

/** Presets for all rows: as many as fit, the others in a menu. */
export function PresetBar() {
  const all = useTable(state => state.rows)
  const following = useTable(state => state.following)
  const known = usePresets(state => state.presets)
  const hidden = useRemoval(state => state.hidden)
  const rows = useMemo(() => [...shown(all, hidden)], [all, hidden])
  const formats = useMemo(() => countFormats(rows), [rows])
  const sources = [...formats.keys()].toSorted().join(' ')
  const presets = useMemo(() => offeredFor(known, sources.split(' ').filter(Boolean)), [known, sources])
  const inForce = useMemo(
    () => (following && suits(following, formats.keys()) ? following : presetInForce(presets, rows)),
    [following, formats, presets, rows],
  )
  const choices = useMemo(() => choicesOf(rows), [rows])
  const [box, items, last] = [
    useRef<HTMLDivElement>(null),
    useRef<HTMLFieldSetElement>(null),
    useRef<HTMLButtonElement>(null),
  ]
  const room = useFitting({ box, items, last, gap: GAP_PX }, [presets, inForce])
  const { follow, unfollow } = useTable.getState()
  const chosen = inForce?.id ?? null
  const choose = (preset: Preset | null) => {
    if (preset) follow(preset, all.keys())
    else if (inForce) unfollow(inForce, all.keys())
  }
  return (
    <div ref={box} className={classes.presets}>
      <PresetChips
        ref={items}
        formats={formats}
        chosen={chosen}
        onChoose={choose}
        only={() => presets}
        room={room}
      />
      <PresetMenu
        ref={last}
        choices={choices}
        others={presets.slice(room)}
        chosen={chosen}
        onChoose={choose}
      />
    </div>
  )
}
