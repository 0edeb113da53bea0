import { NumberInput } from '@mantine/core'
import { useId } from 'react'
import { text } from '../messages/text.ts'
import { size } from '../ui/format.ts'
import classes from './LimitField.module.css'
import sizes from './SizeField.module.css'
import slider from './SliderField.module.css'

interface Props {
  label: string
  description: string | undefined
  /** Name of the unit, `KB` or `MB`. */
  unit: string
  /** The usual limits, in units. */
  usual: readonly number[]
  minimum: number | undefined
  maximum: number | undefined
  allowDecimal: boolean
  /** Undefined without a limit. */
  value: number | undefined
  error: string | undefined
  onChange: (value: number | undefined) => void
}

const BYTES: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6 }

/** The largest size a file may have: the usual ones as chips, any other as a number. */
export function LimitField(props: Props) {
  const { label, description, unit, usual, minimum, maximum, allowDecimal, value, error, onChange } = props
  const id = useId()
  return (
    <div>
      <div className={slider.head}>
        <label htmlFor={id} className={slider.label}>
          {label}
        </label>
        <NumberInput
          id={id}
          className={`${slider.number} ${classes.number}`}
          size="xs"
          hideControls
          clampBehavior="none"
          allowDecimal={allowDecimal}
          placeholder={text('form.noLimit')}
          suffix={`\u00a0${unit}`}
          min={minimum}
          max={maximum}
          value={value ?? ''}
          error={error !== undefined}
          aria-describedby={description || error ? `${id}-hint` : undefined}
          onChange={next => onChange(next === '' ? undefined : Number(next))}
        />
      </div>
      <div className={`${sizes.chips} ${classes.usual}`}>
        {usual.map(each => (
          <button
            key={each}
            type="button"
            className={sizes.chip}
            aria-pressed={value === each}
            onClick={() => onChange(value === each ? undefined : each)}
          >
            {size(each * (BYTES[unit] ?? 1))}
          </button>
        ))}
      </div>
      {(description || error) && (
        <p id={`${id}-hint`} className={slider.hint} data-wrong={error ? true : undefined}>
          {error ?? description}
        </p>
      )}
    </div>
  )
}
