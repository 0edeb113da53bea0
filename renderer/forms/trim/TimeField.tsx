import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { text } from '../../messages/text.ts'
import { secondsOf, timeText } from './time.ts'

interface Props {
  label: string
  description?: string | undefined
  /** Seconds. */
  value: number | undefined
  /** The value in seconds that applies while it is empty. */
  fallback?: number | undefined
  error?: string | undefined
  onChange: (seconds: number | undefined) => void
}

/** A time in a media file, typed as `h:mm:ss`. */
export function TimeField({ label, description, value, fallback, error, onChange }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const wrong = typed !== null && Number.isNaN(secondsOf(typed))
  return (
    <TextInput
      label={label}
      description={description}
      inputMode="numeric"
      placeholder={fallback === undefined ? text('form.timeShape') : timeText(fallback)}
      value={typed ?? (value === undefined ? '' : timeText(value))}
      error={wrong ? text('form.time') : error}
      onChange={event => {
        const next = event.currentTarget.value
        setTyped(next)
        const seconds = secondsOf(next)
        if (!Number.isNaN(seconds)) onChange(seconds)
      }}
      onBlur={() => !wrong && setTyped(null)}
    />
  )
}
