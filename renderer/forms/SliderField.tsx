import { Slider } from '@mantine/core'
import { useContext } from 'react'
import { NumberLine } from './NumberLine.tsx'
import type { FieldProps } from './problem.ts'
import { ExpectedSize } from './surroundings.ts'
import { WordChips } from './WordChips.tsx'

/** A number with a range: words for some of it, a slider, and a field for typing it. */
export function SliderField(props: FieldProps & { value: number }) {
  const { field, value, onChange } = props
  const { minimum: min = 0, maximum: max = 100, 'x-words': words } = field
  const size = useContext(ExpectedSize)
  const step = field.type === 'integer' ? 1 : 0.5
  return (
    <NumberLine {...props} step={step} aside={field['x-affects-size'] ? size : null}>
      {words && <WordChips words={words} value={value} onChange={onChange} />}
      <Slider
        thumbLabel={field.title}
        label={null}
        {...{ min, max, step, onChange }}
        value={Math.min(max, Math.max(min, value))}
      />
    </NumberLine>
  )
}
