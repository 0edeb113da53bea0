import { Select } from '@mantine/core'
import { useUsual } from '../forms/usual.ts'
import { text } from '../messages/text.ts'
import { useAction } from '../ui/useAction.ts'

const CHOICES = ['all', 'no-place', 'none'] as const

/** What stays of the metadata of photos, unless a conversion says otherwise. */
export function MetadataChoice() {
  const kept = useUsual(state => state.metadata) ?? 'no-place'
  const { busy, act } = useAction()
  return (
    <Select
      label={text('settings.metadata')}
      description={text('settings.metadataHint')}
      data={CHOICES.map(value => ({ value, label: text(`settings.kept.${value}`) }))}
      value={kept}
      disabled={busy}
      allowDeselect={false}
      onChange={value => value && void act(() => useUsual.getState().choose(value))}
    />
  )
}
