import type { OptionField } from '../../service/convert/catalogue/options.ts'
import { text } from '../messages/text.ts'
import { quantity } from '../ui/format.ts'
import type { FieldProblem } from './schema.ts'

/** Props of a control for one option. */
export interface FieldProps {
  field: OptionField
  /** Undefined while the default applies. */
  value: unknown
  problem: FieldProblem | undefined
  onChange: (value: unknown) => void
}

/** The unit after a number, kept on its line. */
export const unitOf = (field: OptionField): string => (field['x-unit'] ? `\u00a0${field['x-unit']}` : '')

/** What is wrong with a value, for the person who entered it; undefined if nothing is. */
export function describeProblem(problem: FieldProblem | undefined): string | undefined {
  if (!problem) return undefined
  const { keyword, field } = problem
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
