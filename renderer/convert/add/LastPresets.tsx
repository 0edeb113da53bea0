import { Group } from '@mantine/core'
import type { Preset } from '../../../service/web/app/types.ts'
import { text } from '../../messages/text.ts'
import { isGoal } from '../../presets/goals.ts'
import { lastPresets } from '../../presets/name.ts'
import { PresetChips } from '../../presets/PresetChips.tsx'
import { useJoin } from '../state/join/join.ts'
import { useTable } from '../state/store.ts'

const noFiles = new Map<string, number>()

const others = (presets: readonly Preset[]) => lastPresets(presets.filter(preset => !isGoal(preset)))

/** The last used presets besides the goals, for files that are still to be added. */
export function LastPresets() {
  const following = useTable(state => state.following)
  const { follow, unfollow } = useTable.getState()
  return (
    <Group gap="8px 12px" justify="center" mih={34}>
      <p className="remark">
        {text(following && !isGoal(following) ? 'convert.presetReady' : 'convert.presetFirst')}
      </p>
      <PresetChips
        formats={noFiles}
        chosen={following?.id ?? null}
        only={others}
        onChoose={preset => {
          useJoin.getState().want(false)
          if (preset) follow(preset, [])
          else if (following) unfollow(following, [])
        }}
      />
    </Group>
  )
}
