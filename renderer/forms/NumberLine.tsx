import { Group, NumberInput, Text } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './NumberLine.module.css'
import { describeProblem, type FieldProps, unitOf } from './problem.ts'

interface Props extends FieldProps {
  value: number | undefined
  step?: number
  placeholder?: string
  /** Shown before the number. */
  aside?: string | null
  /** The controls below the number. */
  children: ReactNode
}

/** A number that can be typed beside its label, and also set with other controls. */
export function NumberLine(props: Props) {
  const { field, value, problem, onChange, step, placeholder, aside, children } = props
  const id = useId()
  const error = describeProblem(problem)
  const hint = error ?? field.description
  return (
    <div>
      <Group gap={12} justify="space-between" wrap="nowrap" mb={6}>
        <label htmlFor={id} className="field-label" style={{ margin: 0 }}>
          {field.title}
        </label>
        {aside && <span className={classes.aside}>{aside}</span>}
        <NumberInput
          id={id}
          className={classes.number}
          w={92}
          size="xs"
          hideControls
          clampBehavior="none"
          allowDecimal={field.type === 'number'}
          placeholder={placeholder}
          suffix={unitOf(field)}
          min={field.minimum}
          max={field.maximum}
          {...(step && { step })}
          value={value ?? ''}
          error={error !== undefined}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onChange={next => onChange(next === '' ? undefined : Number(next))}
        />
      </Group>
      {children}
      {hint && (
        <Text id={`${id}-hint`} className="fine" mt={6} data-tone={error && 'danger'}>
          {hint}
        </Text>
      )}
    </div>
  )
}
