import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { text } from '../messages/text.ts'
import { Segments } from '../ui/Segments.tsx'

const themes = ['auto', 'light', 'dark'] as const

export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Segments
      label={text('settings.theme')}
      data={themes.map(value => ({ value, label: text(`settings.themes.${value}`) }))}
      value={colorScheme}
      onChange={value => setColorScheme(value as MantineColorScheme)}
    />
  )
}
