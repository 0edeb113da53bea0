import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { useId } from 'react'
import { text } from '../messages/text.ts'
import classes from './Settings.module.css'

const themes = ['auto', 'light', 'dark'] as const

export function ThemeChoice() {
  const id = useId()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <div>
      <div className={classes.label} id={id}>
        {text('settings.theme')}
      </div>
      <SegmentedControl
        aria-labelledby={id}
        data={themes.map(value => ({ value, label: text(`settings.themes.${value}`) }))}
        value={colorScheme}
        onChange={value => setColorScheme(value as MantineColorScheme)}
      />
    </div>
  )
}
