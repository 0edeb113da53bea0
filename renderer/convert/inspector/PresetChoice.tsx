import { Select } from '@mantine/core'
import { useMemo } from 'react'
import { text } from '../../messages/text.ts'
import { suits } from '../../presets/choice.ts'
import { presetName } from '../../presets/name.ts'
import { usePresetList, usePresets } from '../../presets/store.ts'
import { countFormats, presetInForce } from '../state/choose/presets.ts'
import { noOptions } from '../state/rows/new-row.ts'
import { isUnderWay, type Row } from '../state/rows/row.ts'
import { useTable } from '../state/store.ts'

const NONE = ''

/** The preset of these rows; choosing one only affects them. */
export function PresetChoice({ rows }: { rows: readonly Row[] }) {
  const presets = usePresetList()
  const following = useTable(state => state.following)
  const suited = useMemo(() => {
    const formats = countFormats(rows)
    return presets.filter(preset => suits(preset, formats.keys()))
  }, [presets, rows])
  const inForce = useMemo(() => presetInForce(suited, rows, following), [following, suited, rows])
  if (suited.length === 0) return null
  const keys = rows.map(({ key }) => key)
  const choose = (id: string | null) => {
    const preset = suited.find(each => each.id === id)
    if (!preset) return useTable.getState().setOptions(keys, noOptions)
    usePresets.getState().use(preset.id)
    useTable.getState().apply(preset, keys)
  }
  return (
    <Select
      label={text('convert.preset')}
      data={[
        { value: NONE, label: text('convert.noPreset') },
        ...suited.map(preset => ({ value: preset.id, label: presetName(preset) })),
      ]}
      value={inForce?.id ?? NONE}
      disabled={rows.every(isUnderWay)}
      allowDeselect={false}
      onChange={choose}
    />
  )
}
