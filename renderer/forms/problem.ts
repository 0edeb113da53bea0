import { text } from '../messages/text.ts'
import type { FieldProblem } from './schema.ts'

/** What is wrong with a value, for the person who entered it. */
export function describeProblem({ keyword, field }: FieldProblem): string {
  const unit = field['x-unit'] ? `\u00a0${field['x-unit']}` : ''
  const { minimum, maximum, 'x-example': example } = field
  const isBound = keyword === 'minimum' || keyword === 'maximum' || keyword === 'required'
  if (isBound && minimum !== undefined && maximum !== undefined) {
    return text('form.between', { minimum, maximum, unit })
  }
  switch (keyword) {
    case 'required':
      return text('form.required')
    case 'minimum':
      return text('form.minimum', { value: minimum ?? 0, unit })
    case 'maximum':
      return text('form.maximum', { value: maximum ?? 0, unit })
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
