import { text } from '../messages/text.ts'
import { quantity } from '../ui/format.ts'
import type { FieldProblem } from './schema.ts'

/** What is wrong with a value, for the person who entered it. */
export function describeProblem({ keyword, field }: FieldProblem): string {
  const { minimum = 0, maximum = 0, 'x-example': example, 'x-unit': unit } = field
  const isBound = keyword === 'minimum' || keyword === 'maximum' || keyword === 'required'
  if (isBound && field.minimum !== undefined && field.maximum !== undefined) {
    return text('form.between', { minimum, maximum: quantity(maximum, unit) })
  }
  switch (keyword) {
    case 'required':
      return text('form.required')
    case 'minimum':
      return text('form.minimum', { value: quantity(minimum, unit) })
    case 'maximum':
      return text('form.maximum', { value: quantity(maximum, unit) })
    case 'maxLength':
      return text('form.maxLength', { value: field.maxLength ?? 0 })
    case 'pattern':
      return example ? text('form.example', { example }) : text('form.pattern')
    case 'enum':
      return text('form.enumeration')
    case 'type':
      return field.type === 'integer' ? text('form.integer') : text('form.type')
    default:
      return text('form.invalid')
  }
}
