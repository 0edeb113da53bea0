import { text } from '../../messages/text.ts'
import { lastPresets } from '../../presets/name.ts'
import { PresetChips } from '../../presets/PresetChips.tsx'
import { useTable } from '../state/store.ts'
import classes from './LastPresets.module.css'

const noFiles = new Map<string, number>()

/** The last used presets, for files that are still to be added. */
export function LastPresets() {
  const following = useTable(state => state.following)
  const { follow, unfollow } = useTable.getState()
  return (
    <div className={classes.presets}>
      <p className={classes.about}>{text(following ? 'convert.presetReady' : 'convert.presetFirst')}</p>
      <PresetChips
        formats={noFiles}
        chosen={following?.id ?? null}
        only={lastPresets}
        onChoose={preset => {
          if (preset) follow(preset, [])
          else if (following) unfollow(following, [])
        }}
      />
    </div>
  )
}
