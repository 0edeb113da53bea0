import { useState } from 'react'
import { text } from '../messages/text.ts'
import { accents, chooseAccent, chosenAccent } from '../ui/accent.ts'
import { Segments } from '../ui/Segments.tsx'

export function AccentChoice() {
  const [accent, setAccent] = useState(chosenAccent)
  return (
    <Segments
      label={text('settings.accent')}
      data={accents.map(value => ({ value, label: text(`settings.accents.${value}`) }))}
      value={accent}
      onChange={value => {
        setAccent(value)
        chooseAccent(value)
      }}
    />
  )
}
