import { NumberInput, Slider } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './SliderField.module.css'

interface Props {
  label: string
  description?: string | undefined
  unit: string
  /** Choices shown above the slider. */
  words?: ReactNode
  /** Shown before the number. */
  aside?: string | undefined
  minimum: number
  maximum: number
  step: number
  value: number
  error?: string | undefined
  onChange: (value: number | undefined) => void
}

/** A number with a range: a slider, and a field for typing the number. */
export function SliderField({
  label,
  description,
  unit,
  words,
  aside,
  minimum,
  maximum,
  step,
  value,
  error,
  onChange,
}: Props) {
  const id = useId()
  return (
    <div>
      <div className={classes.head}>
        <label htmlFor={id} className={classes.label}>
          {label}
        </label>
        {aside !== undefined && <span className={classes.aside}>{aside}</span>}
        <NumberInput
          id={id}
          className={classes.number}
          size="xs"
          hideControls
          clampBehavior="none"
          allowDecimal={step < 1}
          suffix={unit}
          min={minimum}
          max={maximum}
          step={step}
          value={value}
          error={error !== undefined}
          aria-describedby={description || error ? `${id}-hint` : undefined}
          onChange={next => onChange(next === '' ? undefined : Number(next))}
        />
      </div>
      {words}
      <Slider
        thumbLabel={label}
        label={null}
        min={minimum}
        max={maximum}
        step={step}
        value={Math.min(maximum, Math.max(minimum, value))}
        onChange={onChange}
      />
      {(description || error) && (
        <p id={`${id}-hint`} className={classes.hint} data-wrong={error ? true : undefined}>
          {error ?? description}
        </p>
      )}
    </div>
  )
}
