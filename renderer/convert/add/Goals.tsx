import { Tooltip } from '@mantine/core'
import { IconArrowsMinimize, IconFiles, IconGif } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Preset } from '../../../service/web/app/types.ts'
import { text } from '../../messages/text.ts'
import type { goalIds } from '../../presets/goals.ts'
import { presetHint, presetName } from '../../presets/name.ts'
import { choosePreset } from '../../presets/PresetChips.tsx'
import { usePresets } from '../../presets/store.ts'
import { useJoin } from '../state/join/join.ts'
import { useTable } from '../state/store.ts'
import classes from './Goals.module.css'

const icon = { size: 20, stroke: 1.7, 'aria-hidden': true } as const

/** What people most often come for: chosen here, it applies to the files that are added. */
export function Goals() {
  const presets = usePresets(state => state.presets)
  const following = useTable(state => state.following)
  const { isWanted, want } = useJoin()
  const { follow, unfollow } = useTable.getState()
  const choose = (preset: Preset | null) => {
    want(false)
    if (preset) follow(preset, [])
    else if (following) unfollow(following, [])
  }
  const byPreset = (id: (typeof goalIds)[number], symbol: ReactNode) => {
    const preset = presets.find(each => each.builtIn && each.id === id)
    return (
      <Goal
        name={presetName({ id, name: id, builtIn: true })}
        hint={presetHint({ id, builtIn: true })}
        symbol={symbol}
        isChosen={following !== null && following.id === preset?.id}
        onChoose={() => preset && choosePreset(preset, following?.id ?? null, choose)}
      />
    )
  }
  return (
    <fieldset className={classes.goals}>
      <legend className="hidden-text">{text('goals.label')}</legend>
      {byPreset('smaller', <IconArrowsMinimize {...icon} />)}
      <Goal
        name={text('convert.joinPdf')}
        hint={text('goals.joinHint')}
        symbol={<IconFiles {...icon} />}
        isChosen={isWanted}
        onChoose={() => {
          if (following) unfollow(following, [])
          want(!isWanted)
        }}
      />
      {byPreset('gif', <IconGif {...icon} />)}
    </fieldset>
  )
}

interface GoalProps {
  name: string
  hint: string
  symbol: ReactNode
  isChosen: boolean
  onChoose: () => void
}

const Goal = ({ name, hint, symbol, isChosen, onChoose }: GoalProps) => (
  <Tooltip label={hint} multiline maw={280}>
    <button
      type="button"
      className={`${classes.goal} hoverable filled`}
      aria-pressed={isChosen}
      aria-description={hint}
      onClick={onChoose}
    >
      {symbol}
      {name}
    </button>
  </Tooltip>
)
