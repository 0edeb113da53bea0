import { messages } from '../messages.ts'
import type { FieldProblem } from './schema.ts'

/** What is wrong with a value, for the person who entered it. */
export function describeProblem({ keyword, field }: FieldProblem): string {
  const unit = field['x-unit'] ? `\u00a0${field['x-unit']}` : ''
  const words = messages.form
  switch (keyword) {
    case 'required':
      return words.required
    case 'minimum':
      return words.minimum(field.minimum ?? 0, unit)
    case 'maximum':
      return words.maximum(field.maximum ?? 0, unit)
    case 'maxLength':
      return words.maxLength(field.maxLength ?? 0)
    case 'pattern':
      return words.pattern
    case 'enum':
      return words.enumeration
    case 'type':
      return field.type === 'integer' ? words.integer : words.type
    default:
      return words.invalid
  }
}
