import { Button, Group, TextInput } from '@mantine/core'
import { useFolderChoice } from '../destination/useFolderChoice.tsx'
import { text } from '../messages/text.ts'

interface Props {
  label: string
  hint?: string
  value: string
  error?: string | null
  onChange: (path: string) => void
}

/** The path of a folder, typed or chosen. */
export function FolderField({ label, hint, value, error = null, onChange }: Props) {
  const { choose, dialog } = useFolderChoice({
    start: value || null,
    confirm: text('watch.browse'),
    onChoose: onChange,
  })
  return (
    <Group gap={8} align="flex-end" wrap="nowrap">
      <TextInput
        flex={1}
        label={label}
        {...(hint === undefined ? {} : { description: hint })}
        error={error}
        value={value}
        spellCheck={false}
        onChange={event => onChange(event.currentTarget.value)}
      />
      <Button variant="default" aria-label={text('watch.browseNamed', { field: label })} onClick={choose}>
        {text('watch.browse')}
      </Button>
      {dialog}
    </Group>
  )
}
