import { SegmentedControl } from '@mantine/core'
import { useId, useState } from 'react'
import { text } from '../messages/text.ts'
import { accents, chooseAccent, chosenAccent } from '../ui/accent.ts'
import classes from './Settings.module.css'

export function AccentChoice() {
  const id = useId()
  const [accent, setAccent] = useState(chosenAccent)
  return (
    <div>
      <div className={classes.label} id={id}>
        {text('settings.accent')}
      </div>
      <SegmentedControl
        aria-labelledby={id}
        data={accents.map(value => ({ value, label: text(`settings.accents.${value}`) }))}
        value={accent}
        onChange={value => {
          setAccent(value)
          chooseAccent(value)
        }}
      />
    </div>
  )
}
