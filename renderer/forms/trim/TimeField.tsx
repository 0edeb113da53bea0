import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { text } from '../../messages/text.ts'
import { describeProblem, type FieldProps } from '../problem.ts'
import { secondsOf, timeText } from './time.ts'

interface Props extends FieldProps {
  hint?: string | undefined
  /** The value in seconds that applies while it is empty. */
  fallback?: unknown
}

/** A time in a media file in seconds, typed as `h:mm:ss`. */
export function TimeField({ field, value, problem, hint, fallback, onChange }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const wrong = typed !== null && Number.isNaN(secondsOf(typed))
  return (
    <TextInput
      label={field.title}
      description={hint}
      inputMode="numeric"
      placeholder={typeof fallback === 'number' ? timeText(fallback) : text('form.timeShape')}
      value={typed ?? (typeof value === 'number' ? timeText(value) : '')}
      error={wrong ? text('form.time') : describeProblem(problem)}
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
