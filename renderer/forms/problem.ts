import { text } from '../messages/text.ts'
import type { FieldProblem } from './schema.ts'

/** What is wrong with a value, for the person who entered it. */
export function describeProblem({ keyword, field }: FieldProblem): string {
  const unit = field['x-unit'] ? `\u00a0${field['x-unit']}` : ''
  switch (keyword) {
    case 'required':
      return text('form.required')
    case 'minimum':
      return text('form.minimum', { value: field.minimum ?? 0, unit })
    case 'maximum':
      return text('form.maximum', { value: field.maximum ?? 0, unit })
    case 'maxLength':
      return text('form.maxLength', { value: field.maxLength ?? 0 })
    case 'pattern':
      return text('form.pattern')
    case 'enum':
      return text('form.enumeration')
    case 'type':
      return field.type === 'integer' ? text('form.integer') : text('form.type')
    default:
      return text('form.invalid')
  }
}
