import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { messages } from '../messages.ts'

export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      aria-label={messages.settings.theme}
      data={Object.entries(messages.settings.themes).map(([value, label]) => ({ value, label }))}
      value={colorScheme}
      onChange={value => setColorScheme(value as MantineColorScheme)}
    />
  )
}
