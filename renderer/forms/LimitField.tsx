import { Group } from '@mantine/core'
import { text } from '../messages/text.ts'
import { size } from '../ui/format.ts'
import { NumberLine } from './NumberLine.tsx'
import type { FieldProps } from './problem.ts'
import classes from './SizeField.module.css'

interface Props extends FieldProps {
  /** The usual limits, in units of `KB` or `MB`. */
  usual: readonly number[]
  /** Undefined without a limit. */
  value: number | undefined
}

const BYTES: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6 }

/** The largest size a file may have: the usual ones as chips, any other as a number. */
export function LimitField({ usual, ...props }: Props) {
  const { field, value, onChange } = props
  return (
    <NumberLine {...props} placeholder={text('form.noLimit')}>
      <Group gap={6} align="stretch" className={classes.usual}>
        {usual.map(each => (
          <button
            key={each}
            type="button"
            className={`${classes.chip} hoverable tinted`}
            aria-pressed={value === each}
            onClick={() => onChange(value === each ? undefined : each)}
          >
            {size(each * (BYTES[field['x-unit'] ?? ''] ?? 1))}
          </button>
        ))}
      </Group>
    </NumberLine>
  )
}
